/**
 * Finds the places in a text where a match can begin, by two letters and without tokenizing: in a paragraph of
 * fifty words two or three are left to examine.
 *
 *   texts   deploy, deployment, docker      first letters d; after d: e, o
 *   text    Use --no-cache to build the Docker image, then deploy
 *                                       ^^                 ^^
 */
export interface WordStarts {
  /** The first place from `at` on where a word may begin that matches; -1 if there is none. */
  next(text: string, at: number): number;
}

const Kind = { separator: 0, lower: 1, upper: 2, digit: 3 } as const;

const kinds = new Uint8Array(128);
for (let unit = 0; unit < 128; unit++) {
  const character = String.fromCharCode(unit);
  if (/[a-z]/.test(character)) kinds[unit] = Kind.lower;
  else if (/[A-Z]/.test(character)) kinds[unit] = Kind.upper;
  else if (/\d/.test(character)) kinds[unit] = Kind.digit;
}

/** Bit of a second character that is not a letter. */
const OTHER = 1 << 26;
const ANY = -1;

/** `texts`: folded, everything that a match may be or begin with. */
export function createWordStarts(texts: Iterable<string>): WordStarts {
  // First letter → bits of the second letters.
  const seconds = new Int32Array(128);
  for (const text of texts) {
    const first = text.charCodeAt(0);
    if (first > 127) continue;
    seconds[first]! |= text.length < 2 ? ANY : bitOf(text.charCodeAt(1));
  }

  function next(text: string, from: number): number {
    let before = from > 0 ? text.charCodeAt(from - 1) : 0;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      // Other letters are not folded here.
      if (unit > 127) return at;
      const kind = kinds[unit]!;
      if (kind !== Kind.separator && isStart(kind, before)) {
        const bits = seconds[unit | (kind === Kind.upper ? 0x20 : 0)]!;
        if (bits !== 0 && mayFollow(bits, unit, at + 1 < text.length ? text.charCodeAt(at + 1) : 0))
          return at;
      }
      before = unit;
    }
    return -1;
  }

  return { next };
}

/** After a separator, at a capital (`useState`), at the number of a version (`v2`). */
function isStart(kind: number, before: number): boolean {
  if (before > 127 || kind === Kind.upper) return true;
  return kinds[before] === Kind.separator || (kind === Kind.digit && (before | 0x20) === 0x76);
}

function mayFollow(bits: number, first: number, second: number): boolean {
  if (second > 127) return true;
  const kind = kinds[second]!;
  // A word of one letter may begin a joined one: `C`, and the `v` of a version.
  if (kind === Kind.separator || (kind === Kind.digit && (first | 0x20) === 0x76)) return true;
  return (bits & bitOf(second | (kind === Kind.upper ? 0x20 : 0))) !== 0;
}

function bitOf(unit: number): number {
  return unit >= 0x61 && unit <= 0x7a ? 1 << (unit - 0x61) : OTHER;
}

export function isAsciiLetterOrDigit(unit: number): boolean {
  return unit < 128 && kinds[unit] !== Kind.separator;
}

/**
 * The folded word at a place where a run of letters begins, if the run is ASCII without capitals except at its
 * beginning, as nearly all are: then it is one word. Null for every other run.
 */
export function plainWordAt(text: string, from: number): string | null {
  const first = text.charCodeAt(from);
  // NaN past the end of the text.
  if (!(first < 128)) return null;
  let end = from + 1;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (unit > 127 || kinds[unit] === Kind.upper) return null;
    if (kinds[unit] === Kind.separator) break;
  }
  const sign = text[end];
  if (end - from <= 2 && (sign === "+" || sign === "#")) return null;
  if ((first | 0x20) === 0x76 && kinds[text.charCodeAt(from + 1)] === Kind.digit) return null;
  const word = text.slice(from, end);
  return kinds[first] === Kind.upper ? word.toLowerCase() : word;
}
