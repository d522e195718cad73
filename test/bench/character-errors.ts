/** Character error rate: edits from the true text to the read one, in percent of the true one; white space counts as one space. */
export function characterErrorPercent(truth: string, read: string): number {
  const [from, to] = [plain(truth), plain(read)];
  let previous = Uint32Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = new Uint32Array(to.length + 1);
    current[0] = row;
    for (let column = 1; column <= to.length; column += 1) {
      const changed = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current[column] = Math.min(changed, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
    }
    previous = current;
  }
  return (100 * (previous[to.length] ?? 0)) / from.length;
}

function plain(text: string): string[] {
  return [...text.normalize("NFC").replace(/\s+/g, " ").trim()];
}
