/**
 * Stands in a result where the bytes of file `index` belong. Whoever sends the result streams the file there as a
 * base64 string, so that no result is ever held as one string.
 */
export type FileMark = { $file: number };

/** JSON with file marks in it. */
export type ResultValue =
  | string
  | number
  | boolean
  | null
  | FileMark
  | readonly ResultValue[]
  | { readonly [key: string]: ResultValue };

/** An operation's result as the API document names its fields, in the document's order. */
export type ResultData = { readonly [key: string]: ResultValue };
