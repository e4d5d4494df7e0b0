/**
 * The debug id of a built file: a hash of its name, which itself carries a hash of its content. The build writes it into the
 * file's source map, the browser into its error reports, and neither needs a list (decisions/004).
 *
 *   debugIdOf("vendor-CFrkd1x3.js") → "b0c1a7f2-…", the form of a UUID
 */
export function debugIdOf(fileName: string): string {
  const hex = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b].map((seed) => fnv1a(fileName, seed)).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");
}

/** FNV-1a, 32 bits, as eight hexadecimal digits; http://www.isthe.com/chongo/tech/comp/fnv/ */
function fnv1a(text: string, seed: number): string {
  let hash = seed;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
