/** Values that programs do not expect, and JSON with some of them in it. */
import type { Random } from "./random.ts";

const texts = [
  "",
  " ",
  "*",
  "cache",
  '"how to" -build',
  "__proto__",
  "constructor",
  "toString",
  "\0",
  "\u202e\u0301\ufeff",
  "\ud800",
  "日本語",
  "👩‍👩‍👧‍👦".repeat(20),
  "../../../../etc/passwd",
  "%2e%2e%2f%00",
  "<script>alert(1)</script>",
  "' OR 1=1 --",
  "a".repeat(5000),
  "(".repeat(300),
  "?#".repeat(200),
  "https://a.example/?b#c",
  "_geoRadius(1,2,3)",
  "section = CLI AND (NOT a EXISTS)",
  "title:asc",
  "2024-10",
  "1e309",
  "-0",
];
const numbers = [0, -1, 1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, Date.UTC(2026, 10, 22), 1_000_000];
const HUGE = 12_000;
const DEPTH = 3000;
/** Length of a repeated item's JSON, in characters. */
const REPEATED_LENGTH = 200_000;

export function oddText(random: Random): string {
  if (random.chance(0.8)) return random.pick(texts);
  const length = random.below(60);
  return Array.from({ length }, () =>
    String.fromCodePoint(random.below(random.chance(0.5) ? 128 : 0xd7ff)),
  ).join("");
}

function oddValue(random: Random): unknown {
  const kind = random.below(20);
  if (kind < 7) return oddText(random);
  if (kind < 11) return random.pick(numbers);
  if (kind < 13) return random.pick([null, true, false]);
  if (kind < 15) return Array.from({ length: random.below(4) }, () => oddValue(random));
  if (kind < 17) return { [oddText(random)]: oddText(random) };
  if (kind === 17) return Array.from({ length: HUGE }, (_, at) => (at % 3 ? `a${at}` : at));
  if (kind === 18) return Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`k${at}`, at]));
  return nested(random.pick(["list", "object"]), random.below(DEPTH));
}

function nested(kind: "list" | "object", depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = kind === "list" ? [value] : { a: value };
  return value;
}

/** Repeats it as often as its size allows: otherwise lists of lists would grow without end. */
function repeated(item: unknown, times: number): unknown[] {
  const size = (JSON.stringify(item) ?? "").length + 1;
  return Array.from({ length: Math.min(times, Math.ceil(REPEATED_LENGTH / size)) }, () => item);
}

/** A copy with some values replaced, left out, added or repeated. */
export function mutate(random: Random, value: unknown, rate = 0.08): unknown {
  if (random.chance(rate)) return oddValue(random);
  if (Array.isArray(value)) {
    const list = value.flatMap((item) => (random.chance(rate) ? [] : [mutate(random, item, rate)]));
    if (list.length > 0 && random.chance(rate / 2)) return repeated(list[0], random.below(HUGE));
    return list;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value)
    .filter(() => !random.chance(rate))
    .map(([name, item]): [string, unknown] => [
      random.chance(rate / 4) ? oddText(random) : name,
      mutate(random, item, rate),
    ]);
  if (random.chance(rate))
    entries.push([random.pick(["__proto__", "constructor", oddText(random)]), oddValue(random)]);
  // `__proto__` as a name like any other, as JSON.parse makes it.
  return Object.fromEntries(entries);
}
