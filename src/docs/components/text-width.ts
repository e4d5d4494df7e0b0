/** Lines of at most `width` pixels; a wider word gets its own line. */
export function wrap(text: string, width: number, size: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && textWidth(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Estimates the width of Instrument Sans by kind of letter, rounded up: there is no font at build time. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) {
    if (/[ijl.,:;'|!() ]/.test(letter)) width += 0.3;
    else if (/[mwMW@%…]/.test(letter)) width += 0.88;
    else if (/[A-Z]/.test(letter)) width += 0.68;
    else if (/[frt/-]/.test(letter)) width += 0.42;
    else width += 0.58;
  }
  return width * size;
}
