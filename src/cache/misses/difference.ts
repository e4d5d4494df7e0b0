/** Differences between the work that missed and the same work before it. */
import type { Difference } from "../contract/misses.ts";
import { MAX_DIFFERENCES, MAX_VALUE_LENGTH } from "./limits.ts";

const HIDDEN = "(hidden)";
const SECRET_NAME =
  /token|secret|passw|credential|auth|cookie|session|private|(?:^|[^a-z])(?:api|access)?_?key/i;
/** Long, without spaces, with digits among letters, and not a path. */
const SECRET_WORD = /^[\w+=.~-]{20,}$/;

/** Whether only its owner should read it. Rather one too many than one too few. */
function isSecret(name: string, value: string): boolean {
  if (SECRET_NAME.test(name)) return true;
  if (/:\/\/[^/@\s]{1,200}@/.test(value)) return true;
  return value
    .split(/[\s=,;:/]/)
    .some(
      (word) =>
        SECRET_WORD.test(word) && /\d/.test(word) && /[a-z]/i.test(word) && !/^[\w-]+\.[\w.-]+$/.test(word),
    );
}

const shorten = (text: string) =>
  text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH - 1)}…`;

const show = (name: string, value: string | undefined) =>
  value === undefined ? "" : isSecret(name, value) ? HIDDEN : shorten(value);

/** Names whose values differ, by name. */
export function compareValues(
  kind: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Difference[] {
  const differences: Difference[] = [];
  for (const name of [...new Set([...before.keys(), ...after.keys()])].toSorted())
    if (before.get(name) !== after.get(name))
      differences.push({
        kind,
        name: shorten(name),
        before: show(name, before.get(name)),
        after: show(name, after.get(name)),
      });
  return differences;
}

/**
 * The parts of two lists between their common start and end: paired where both parts have the same length.
 *
 *   a -O2 b   and   a -O3 b        -O2 → -O3
 *   a b       and   a -g b         → -g
 */
export function compareLists(
  kind: string,
  before: readonly string[],
  after: readonly string[],
): Difference[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [removed, added] = [before, after].map((list) => list.slice(start, list.length - end)) as [
    string[],
    string[],
  ];
  const toDifference = (one: string | undefined, other: string | undefined) => {
    const named = /^-{0,2}[\w.-]+/.exec(other ?? one ?? "")?.[0] ?? "";
    return { kind, name: "", before: show(named, one), after: show(named, other) };
  };
  if (removed.length === added.length)
    return removed.flatMap((one, index) => (one === added[index] ? [] : [toDifference(one, added[index])]));
  return [
    ...withoutSame(removed, added).map((one) => toDifference(one, undefined)),
    ...withoutSame(added, removed).map((other) => toDifference(undefined, other)),
  ];
}

function withoutSame(list: readonly string[], other: readonly string[]): string[] {
  const known = new Set(other);
  return list.filter((each) => !known.has(each));
}

export const limitDifferences = (differences: readonly Difference[]): Difference[] =>
  differences.slice(0, MAX_DIFFERENCES);
