/**
 * A terminal's colours as tones of this page. A line is read once, from left to right: an unknown sequence is left out if
 * it is complete, and shown as a mark if it is not. A build's output affects nothing but its own text.
 */

/** Each tone has a class in `log.css`; its contrast is that of its token. */
export type Tone = "none" | "ok" | "key" | "warn" | "error" | "name" | "dim";

export interface Style {
  tone: Tone;
  isBold: boolean;
  isDim: boolean;
  isUnderlined: boolean;
}

export interface Segment extends Style {
  text: string;
}

export const PLAIN: Style = { tone: "none", isBold: false, isDim: false, isUnderlined: false };

const ESCAPE = "\u001B";
/** Parameters of one sequence; longer ones are not treated as sequences. */
const MAX_PARAMETERS = 64;
/** Titles and links (OSC); longer ones are not treated as sequences. */
const MAX_STRING = 2048;
/** Changes of style in one line; after that the text is plain. */
const MAX_SEGMENTS = 2000;

export interface StyledLine {
  segments: Segment[];
  /** The style at the start of the next line. */
  end: Style;
}

/** @param start the style at the end of the previous line */
export function parseAnsi(text: string, start: Style = PLAIN): StyledLine {
  const segments: Segment[] = [];
  let style = start;
  let kept = "";
  const close = () => {
    if (kept !== "") segments.push({ ...style, text: kept });
    kept = "";
  };
  for (let at = 0; at < text.length;) {
    const escape = text.indexOf(ESCAPE, at);
    kept += showControls(text.slice(at, escape < 0 ? text.length : escape));
    if (escape < 0) break;
    const sequence = readSequence(text, escape);
    if (sequence === null) kept += "␛";
    else if (sequence.codes !== null && segments.length < MAX_SEGMENTS) {
      const next = applyCodes(style, sequence.codes);
      if (!isSame(style, next)) close();
      style = next;
    }
    at = sequence?.end ?? escape + 1;
  }
  close();
  return { segments, end: style };
}

/** The line's plain text, for search and copies. */
export function stripAnsi(text: string): string {
  if (!text.includes(ESCAPE)) return showControls(text);
  return parseAnsi(text)
    .segments.map((segment) => segment.text)
    .join("");
}

/** The style after a line, without parsing the line when nothing changes the style. */
export function styleAfter(text: string, start: Style): Style {
  return text.includes(ESCAPE) ? parseAnsi(text, start).end : start;
}

// Control characters except the tab, and those that change the direction of following text: shown, not obeyed.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000A-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/g;

export const showControls = (text: string) => text.replace(CONTROLS, "␣");

interface Sequence {
  /** Null when the sequence does not set colours. */
  codes: string | null;
  end: number;
}

/** @returns null when the text at `at` does not begin with a complete sequence */
function readSequence(text: string, at: number): Sequence | null {
  const kind = text[at + 1];
  if (kind === "[") return readControl(text, at + 2);
  if (kind === "]" || kind === "P" || kind === "_" || kind === "^") return readString(text, at + 2);
  // Two characters: save the cursor, choose a character set.
  if (kind !== undefined && /[()*+]/.test(kind) && text.length > at + 2) return { codes: null, end: at + 3 };
  return kind !== undefined && /[0-9A-Za-z=>]/.test(kind) ? { codes: null, end: at + 2 } : null;
}

function readControl(text: string, from: number): Sequence | null {
  for (let at = from; at < Math.min(text.length, from + MAX_PARAMETERS); at++) {
    const code = text.charCodeAt(at);
    // Parameters and intermediates end at the first of "@" to "~".
    if (code >= 0x40 && code <= 0x7e)
      return { codes: text[at] === "m" ? text.slice(from, at) : null, end: at + 1 };
    if (code < 0x20 || code > 0x3f) return null;
  }
  return null;
}

function readString(text: string, from: number): Sequence | null {
  const limit = Math.min(text.length, from + MAX_STRING);
  for (let at = from; at < limit; at++) {
    if (text[at] === "\u0007") return { codes: null, end: at + 1 };
    if (text[at] === ESCAPE) return text[at + 1] === "\\" ? { codes: null, end: at + 2 } : null;
  }
  return null;
}

function applyCodes(style: Style, codes: string): Style {
  const list = codes.split(/[;:]/).map((code) => (/^\d{0,3}$/.test(code) ? Number(code) : Number.NaN));
  let next = style;
  for (let at = 0; at < list.length; at++) {
    const code = list[at] ?? Number.NaN;
    if (code === 38 || code === 48) {
      const { tone, used } = readColour(list.slice(at + 1, at + 5));
      if (code === 38) next = { ...next, tone };
      at += used;
    } else next = applyCode(next, code);
  }
  return next;
}

const TONES: readonly Tone[] = ["dim", "error", "ok", "warn", "key", "name", "key", "none"];

function applyCode(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 4) return { ...style, isUnderlined: true };
  if (code === 24) return { ...style, isUnderlined: false };
  if (code === 39) return { ...style, tone: "none" };
  const colour = code >= 90 && code <= 97 ? code - 90 : code - 30;
  const tone = TONES[colour];
  return tone === undefined ? style : { ...style, tone };
}

/** Parses `5;n` and `2;r;g;b`. */
function readColour(list: readonly number[]): { tone: Tone; used: number } {
  const [kind, first = Number.NaN, green = Number.NaN, blue = Number.NaN] = list;
  if (kind === 2) return { tone: toneOf(first, green, blue), used: 4 };
  if (kind !== 5) return { tone: "none", used: 0 };
  if (first < 16) return { tone: TONES[first % 8] ?? "none", used: 2 };
  if (first >= 232) return { tone: first < 246 ? "dim" : "none", used: 2 };
  const cube = first - 16;
  const level = (part: number) => Math.floor(cube / part) % 6;
  return { tone: toneOf(level(36) * 51, level(6) * 51, level(1) * 51), used: 2 };
}

/** Uses the strongest components: there are seven tones, not sixteen million. */
function toneOf(red: number, green: number, blue: number): Tone {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (!(most - least > 40)) return most < 140 ? "dim" : "none";
  const isStrong = (value: number) => value > least + (most - least) * 0.38;
  if (isStrong(red)) return isStrong(blue) ? "name" : isStrong(green) ? "warn" : "error";
  return isStrong(blue) ? "key" : "ok";
}

const isSame = (one: Style, other: Style) =>
  one.tone === other.tone &&
  one.isBold === other.isBold &&
  one.isDim === other.isDim &&
  one.isUnderlined === other.isUnderlined;
