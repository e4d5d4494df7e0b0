/**
 * 1. Lone surrogates are found anywhere: at the end, in wrong order, apart, before another escape.
 * 2. Whole characters, other escapes, and backslashes before something that looks like one do not count.
 * 3. It agrees with the parser for any texts.
 */
import { expect, test } from "vitest";
import { hasHalfSign } from "./half-signs.ts";

const FIRST = "\\ud83d";
const SECOND = "\\uDE00";

test("1. halves", () => {
  for (const json of [
    FIRST,
    SECOND,
    SECOND + FIRST,
    `${FIRST}a${SECOND}`,
    `${FIRST}\\n`,
    FIRST + FIRST + SECOND,
  ])
    expect([json, hasHalfSign(`"${json}"`)]).toEqual([json, true]);
});

test("2. none", () => {
  for (const json of ["", "a", FIRST + SECOND, "\\u0061", `\\\\${"ud83d"}`, '\\n\\"', `${FIRST}${SECOND}\\n`])
    expect([json, hasHalfSign(`"${json}"`)]).toEqual([json, false]);
});

test("3. the parser", () => {
  const parts = [FIRST, SECOND, "\\\\", "\\n", "a", "u", "\\u0041"];
  for (let number = 0; number < parts.length ** 5; number += 1) {
    const text = Array.from(
      { length: 5 },
      (_, at) => parts[Math.floor(number / parts.length ** at) % parts.length],
    );
    const json = `"${text.join("")}"`;
    expect([json, hasHalfSign(json)]).toEqual([json, !String(JSON.parse(json)).isWellFormed()]);
  }
});
