/**
 * Whether a path is read by a pattern of `COPY` or `ADD`: Go's `filepath.Match` for each part of the path; a pattern that ends
 * sooner names a folder with all that is in it.
 *
 *   matchesPath("app/*.js", "app/main.js")    true
 *   matchesPath("app", "app/deep/main.js")    true
 *
 * What this reads too much is harmless: a path is asked about after its file is known to differ.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const [parts, names] = [splitPath(pattern), splitPath(path)];
  if (parts.length > names.length) return false;
  return parts.every((part, at) => matchesName(part, names[at] ?? ""));
}

const splitPath = (path: string) => path.split("/").filter((part) => part !== "" && part !== ".");

/** Longer ones no file system has. */
const MAX_NAME = 1000;

/** `*` and `?`, and a class in brackets as any one character. Goes back to the last `*` alone, so that its time is bounded. */
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

/** Wildcards, characters behind a backslash, classes in brackets, and other characters. */
function splitPattern(pattern: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < pattern.length;) {
    const character = pattern.charAt(at);
    const end = character === "[" ? pattern.indexOf("]", at) : character === "\\" ? at + 1 : at;
    // A bracket that nothing closes stands for itself.
    const next = (end < 0 ? at : end) + 1;
    tokens.push(pattern.slice(at, next));
    at = next;
  }
  return tokens;
}

const isOne = (token: string, character: string) =>
  token === "?" || (token.startsWith("[") && token.length > 1) || token.replace(/^\\/, "") === character;
