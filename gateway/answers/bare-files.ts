import type { FileMark, ResultData, ResultValue } from "../../platform/contracts/result-data.ts";

/** A file of a result, and the object in which its mark stands: what is said of it. */
export type BareFile = { mark: FileMark; about: ResultData };

/** The files of a result wherever they stand in it: its own, those of its members, those of its lists' entries. */
export function bareFiles(result: ResultData): BareFile[] {
  return Object.values(result).flatMap((value): BareFile[] => {
    if (isMark(value)) return [{ mark: value, about: result }];
    if (isList(value)) return value.filter(isData).flatMap(bareFiles);
    return isData(value) ? bareFiles(value) : [];
  });
}

function isMark(value: ResultValue): value is FileMark {
  return typeof value === "object" && value !== null && "$file" in value;
}

function isList(value: ResultValue): value is readonly ResultValue[] {
  return Array.isArray(value);
}

function isData(value: ResultValue): value is ResultData {
  return typeof value === "object" && value !== null && !isList(value) && !isMark(value);
}
