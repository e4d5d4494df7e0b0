/**
 * Sections of README.md that different programs write: each stands between `<!-- name -->` and `<!-- /name -->` and is kept
 * by the others.
 */
const bounds = (name: string) => [`<!-- ${name} -->`, `<!-- /${name} -->`] as const;

/** The section with its marks; empty when there is none. */
export function sectionOf(text: string, name: string): string {
  const [begin, end] = bounds(name);
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  return from < 0 || to < 0 ? "" : text.slice(from, to + end.length);
}

/** The text with this section in the place of the former one, or at its end. */
export function withSection(text: string, name: string, content: string): string {
  const [begin, end] = bounds(name);
  const next = `${begin}\n\n${content.trim()}\n\n${end}`;
  const former = sectionOf(text, name);
  // A function: a `$` in the content means itself.
  return former === "" ? `${text.trimEnd()}\n\n${next}\n` : text.replace(former, () => next);
}
