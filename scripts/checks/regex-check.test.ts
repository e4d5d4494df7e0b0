/**
 * 1. Expressions of super-linear cost are found, with a text that proves it; others pass.
 * 2. Literals and constant `RegExp(…)` are found with their place; expressions made at run time are reported.
 * 3. A planted expression fails with its file, its line and an attack; an exception with the same text lets it pass, and an
 *    unused exception fails.
 * 4. The same expression always gets the same verdict.
 */
import { expect, test, vi } from "vitest";
import { findExpressions } from "./expressions/find-expressions.ts";
import { judgeExpression } from "./expressions/judge-expression.ts";
import { findFailures } from "./regex-check.ts";

vi.setConfig({ testTimeout: 60_000 });

const judge = ({ source, flags }: RegExp) => judgeExpression(source, flags);

const superLinear = [
  /(\bhttps?:\/\/[^\s"'<>?#\\]*)[?#][^\s"'<>\\]*/g,
  /\s+$/,
  /^\/+|\/+$/g,
  /(a+)+b/,
  /,(?![^(]*\))/,
  /^Bearer\s+(.*)$/i,
  /\[[^\]]*\]/g,
  /^(.+?)\s*(asc|desc)$/,
  /\b[A-Z]+[A-Z_]{3,}\b/,
];

test.each(superLinear)("1. %s is found", (expression) => {
  expect(judge(expression)).toEqual({ attack: expect.stringContaining("repeat(50_000)"), problem: null });
});

const linear = [
  /^(\/[^\s?#]*)[?#].*$/s,
  /\.\w+$/,
  /\s\S*$/,
  /^.*[\\/]/,
  /\[[^[\]]*\]/g,
  /"([^"]*)"/,
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i,
  /\b[0-9a-f]{8}-[0-9a-f-]{20,}\b/gi,
  /^[\w-]{1,100}$/,
  /\s+/g,
];

test.each(linear)("1. %s passes", (expression) => {
  expect(judge(expression)).toEqual({ attack: null, problem: null });
});

const code = `const one = /a+b/g;
export const two = new RegExp("c" + \`d+$\`, "i"),
  three = RegExp(/e/.source);
function four(text: string): boolean {
  return /\\s+$/.test(text);
}
`;

test("2. where expressions stand", () => {
  expect(findExpressions("x.ts", code)).toEqual([
    { file: "x.ts", line: 1, source: "a+b", flags: "g", code: "/a+b/g" },
    { file: "x.ts", line: 2, source: "cd+$", flags: "i", code: 'new RegExp("c" + `d+$`, "i")' },
    { file: "x.ts", line: 3, source: null, flags: "", code: "RegExp(/e/.source)" },
    { file: "x.ts", line: 3, source: "e", flags: "", code: "/e/" },
    { file: "x.ts", line: 5, source: "\\s+$", flags: "", code: "/\\s+$/" },
  ]);
});

test("3. a planted one", () => {
  const planted = findExpressions("platform/trim.ts", "\nexport const end = /\\s+$/;");
  const exception = { file: "platform/trim.ts", code: "/\\s+$/", reason: "at most ten characters" };
  const [failure] = findFailures(planted, judgeExpression, []);
  expect(failure).toContain(
    'src/platform/trim.ts:2 /\\s+$/\n  It costs more than the length of its text: "" + " "',
  );
  expect(findFailures(planted, judgeExpression, [exception])).toEqual([]);
  expect(findFailures([], judgeExpression, [exception])).toEqual([
    expect.stringContaining("Remove the entry"),
  ]);
  const made = findExpressions("platform/made.ts", "new RegExp(given)");
  expect(findFailures(made, judgeExpression, [])).toEqual([expect.stringContaining("cannot be judged")]);
});

test("1. what cannot be judged says so", () => {
  expect(judge(/(?<=a+)b/)).toEqual({ attack: null, problem: "a lookbehind with a repetition" });
});

test("4. twice", () => {
  for (const expression of superLinear.slice(0, 3)) expect(judge(expression)).toEqual(judge(expression));
});
