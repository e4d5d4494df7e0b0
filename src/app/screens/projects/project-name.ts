/** The server's rules for project names, applied while typing. */

/** `MAX_PROJECT_NAME_LENGTH` of the server. */
const MAX_LENGTH = 63;

/**
 * @param taken names of the organization's other projects
 * @returns why the server would refuse the name; undefined when it would accept it, or when nothing was typed yet
 */
export function explainProjectName(name: string, taken: readonly string[]): string | undefined {
  if (name === "") return undefined;
  if (name !== name.trim() || /\s/.test(name)) return "Write it without spaces: a dash separates words.";
  if (/[A-Z]/.test(name)) return `Lower-case letters only: ${name.toLowerCase()}`;
  if (name.includes("_")) return "A dash separates words, not an underscore.";
  const wrong = /[^a-z0-9-]/u.exec(name)?.[0];
  if (wrong !== undefined) return `"${wrong}" is not allowed: use letters a to z, digits and dashes.`;
  if (name.startsWith("-")) return "It must begin with a letter or a digit.";
  if (name.includes("--")) return "One dash at a time.";
  if (name.length > MAX_LENGTH) return `${name.length} characters; ${MAX_LENGTH} are allowed.`;
  if (name.endsWith("-")) return "It must end with a letter or a digit.";
  if (taken.includes(name)) return `A project ${name} already exists.`;
  return undefined;
}
