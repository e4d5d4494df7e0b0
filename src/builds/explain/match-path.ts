/**
 * Whether a pattern of `COPY` or `ADD` reads a path: Go's `filepath.Match` for each part of the path; a shorter pattern names a
 * folder with everything in it.
 *
 *   matchesPath("app/*.js", "app/main.js")    true
 *   matchesPath("app", "app/deep/main.js")    true
 *
 * A false match is harmless: only paths of files that differ are checked.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const [parts, names] = [splitPath(pattern), splitPath(path)];
  if (parts.length > names.length) return false;
  return parts.every((part, at) => matchesName(part, names[at] ?? ""));
}

const splitPath = (path: string) => path.split("/").filter((part) => part !== "" && part !== ".");

/** No file system has longer names. */
const MAX_NAME = 1000;

/** `*` and `?`, and a class in brackets as any one character. Backtracks only to the last `*`, so that its time is bounded. */
function matchesName(pattern: string, name: string): boolean {
  if (pattern.length > MAX_NAME || name.length > MAX_NAME) return false;
  const tokens = splitPattern(pattern);
  let [at, token, star, tried] = [0, 0, -1, 0];
  while (at < name.length) {
    const wanted = tokens[token];
    if (wanted === "*") {
      star = token;
      tried = at;
      token += 1;
    } else if (wanted !== undefined && isOne(wanted, name.charAt(at))) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      token = star + 1;
      tried += 1;
      at = tried;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === "*");
}

/** Wildcards, characters after a backslash, classes in brackets, and other characters. */
function splitPattern(pattern: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < pattern.length;) {
    const character = pattern.charAt(at);
    const end = character === "[" ? pattern.indexOf("]", at) : character === "\\" ? at + 1 : at;
    // An unclosed bracket is a literal.
    const next = (end < 0 ? at : end) + 1;
    tokens.push(pattern.slice(at, next));
    at = next;
  }
  return tokens;
}

const isOne = (token: string, character: string) =>
  token === "?" || (token.startsWith("[") && token.length > 1) || token.replace(/^\\/, "") === character;
