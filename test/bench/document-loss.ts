/** What one file has of a document that another has not, judged by its objects and by pdftotext. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { openPdf } from "../../platform/pdf/open-pdf.ts";
import { documentFacts, lostFact } from "../../workers/operations/compress/document-facts.ts";

/** What is missing in `after`: a fact of the document (of the given subjects alone, if any), or a word; undefined for nothing. */
export async function documentLoss(
  before: string,
  after: string,
  subjects?: readonly string[],
): Promise<string | undefined> {
  const [first, second] = await Promise.all([before, after].map(factsOf));
  if (first === undefined || second === undefined) return "does not open";
  if (subjects === undefined) {
    const fact = lostFact(first, second);
    if (fact) return fact;
  } else if (first.pages.length !== second.pages.length) return "pages";
  else {
    const differs = subjects.find((key) => String(first.lines.get(key)) !== String(second.lines.get(key)));
    if (differs) return differs;
  }
  return lostWord(wordsOf(before), wordsOf(after));
}

async function factsOf(path: string) {
  const opened = await openPdf(readFileSync(path), { signal: AbortSignal.timeout(60_000) }).catch(
    () => undefined,
  );
  return opened && documentFacts(opened);
}

/** Both in order. What is there besides is no loss: Ghostscript gives words to what had none that could be read. */
function lostWord(before: readonly string[], after: readonly string[]): string | undefined {
  let at = 0;
  for (const word of before) {
    while (at < after.length && (after[at] as string) < word) at += 1;
    if (after[at] !== word) return `word ${JSON.stringify(word)}`;
    at += 1;
  }
  return undefined;
}

function wordsOf(path: string): string[] {
  const options = { maxBuffer: 2 ** 30, timeout: 20_000 };
  const text = spawnSync("pdftotext", ["-q", path, "-"], options).stdout.toString();
  return text.split(/\s+/).filter(Boolean).sort();
}
