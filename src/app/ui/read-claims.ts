interface Claim {
  name: string;
  value: string;
}

// `ref: refs/heads/main`, `ref=refs/heads/main`, `"ref": "refs/heads/main",`. A colon inside a value has no space after it.
const LINE = /^\s*["']?([\w.\-/:]*[\w.\-/])["']?\s*(?::\s+|=\s*|:(?=["']))(\S.*?)\s*,?\s*$/;
const MAX_LINES = 50;

/** Claims from pasted lines, without braces and empty lines; null when any line is something else. */
export function readClaims(text: string): Claim[] | null {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => !/^[{}]?,?$/.test(line));
  if (lines.length === 0 || lines.length > MAX_LINES) return null;
  const claims = lines.map((line) => {
    const [, name, value] = LINE.exec(line) ?? [];
    return name && value ? { name, value: unquote(value) } : null;
  });
  return claims.every((claim) => claim !== null) ? claims : null;
}

const unquote = (value: string) => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
