/** Characters. Long enough for a paragraph, short enough to read a hit at a glance. */
export const LONGEST_TEXT = 600;

/** Pieces of at most about `LONGEST_TEXT` characters that end where `separator` does. */
export function splitText(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > LONGEST_TEXT) {
    const end = rest.lastIndexOf(separator, LONGEST_TEXT - separator.length);
    const space = rest.lastIndexOf(" ", LONGEST_TEXT);
    const cut = end > 0 ? end + separator.length : space > 0 ? space + 1 : LONGEST_TEXT;
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut);
  }
  if (rest.trim() !== "" || pieces.length === 0) pieces.push(rest.trim());
  return pieces.filter((piece) => piece !== "");
}

/** The first sentence of a paragraph, with a label of one word before it ("Cause."), or the first item of a list. */
export function firstSentence(text: string): string {
  const [line = ""] = text.split("\n");
  const [label = ""] = /^\w+\. /.exec(line) ?? [];
  return label + sentenceOf(line.slice(label.length));
}

function sentenceOf(line: string): string {
  // One or two letters before a dot are an abbreviation: "e.g. ".
  const end = line.search(/\w{3}\)?\. /);
  const sentence = end < 0 ? line : line.slice(0, line.indexOf(". ", end) + 1);
  return splitText(sentence, " ")[0] ?? "";
}
