/**
 * Sections of README.md written by different programs: each is between `<!-- name -->` and `<!-- /name -->`
 * and kept by the others.
 */
const bounds = (name: string) => [`<!-- ${name} -->`, `<!-- /${name} -->`] as const;

/** The section with its markers; empty if it is missing. */
export function sectionOf(text: string, name: string): string {
  const [begin, end] = bounds(name);
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  return from < 0 || to < 0 ? "" : text.slice(from, to + end.length);
}

/** The text with this section in place of the old one, or at its end. */
export function withSection(text: string, name: string, content: string): string {
  const [begin, end] = bounds(name);
  const next = `${begin}\n\n${content.trim()}\n\n${end}`;
  const former = sectionOf(text, name);
  // A function: a `$` in the content means itself.
  return former === "" ? `${text.trimEnd()}\n\n${next}\n` : text.replace(former, () => next);
}
