/**
 * 1. Every form of the grammar becomes the node that it stands for.
 * 2. NOT binds tighter than AND, AND tighter than OR; parentheses override both.
 * 3. Quotes of both kinds, with escapes, give back any text at all.
 * 4. Nested arrays are AND outside and OR inside; empty texts and arrays are not a filter.
 * 5. A mistake is an `invalid_search_filter` that names the columns and the expression.
 * 6. Any text either parses or throws a SearchError, and hostile nesting is refused.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SearchError } from "../contract/types.ts";
import type { FilterNode } from "./ast.ts";
import { parseFilter } from "./parse.ts";

/** The tree as a short text: `and(a=1, not(exists b))`. */
function show(node: FilterNode | null): string {
  if (!node) return "none";
  switch (node.kind) {
    case "and":
    case "or":
      return `${node.kind}(${node.nodes.map(show).join(", ")})`;
    case "not":
      return `not(${show(node.node)})`;
    case "compare":
      return `${node.attribute.text}${node.operator}${node.value.text}`;
    case "between":
      return `${node.attribute.text} ${node.from.text}..${node.to.text}`;
    case "in":
      return `${node.attribute.text} in {${node.values.map((value) => value.text).join("|")}}`;
    case "contains":
    case "startsWith":
      return `${node.attribute.text} ${node.kind} ${node.value.text}`;
    case "geoRadius":
      return `radius ${node.latitude} ${node.longitude} ${node.metres}`;
    case "geoBox":
      return `box ${node.top} ${node.right} ${node.bottom} ${node.left}`;
    case "geoPolygon":
      return `polygon ${node.vertices.map(({ latitude, longitude }) => `${latitude} ${longitude}`).join(", ")}`;
    default:
      return `${node.kind} ${node.attribute.text}`;
  }
}

const parsed = (text: Parameters<typeof parseFilter>[0]) => show(parseFilter(text));

function messageOf(filter: string): string {
  try {
    parseFilter(filter);
  } catch (error) {
    if (error instanceof SearchError && error.code === "invalid_search_filter") return error.message;
    throw error;
  }
  return "no error";
}

describe("1. forms", () => {
  test.each([
    ["a = b", "a=b"],
    ["a=b", "a=b"],
    ["a != 'b c'", "a!=b c"],
    ["a>1", "a>1"],
    ["a >= -1.5", "a>=-1.5"],
    ["a<1", "a<1"],
    ["a <= 1", "a<=1"],
    ["a 1 TO 5", "a 1..5"],
    ['a IN [x, "y z", 3,]', "a in {x|y z|3}"],
    ["a IN[]", "a in {}"],
    ["a NOT IN [x]", "not(a in {x})"],
    ["a EXISTS", "exists a"],
    ["a NOT EXISTS", "not(exists a)"],
    ["a IS NULL", "isNull a"],
    ["a IS NOT NULL", "not(isNull a)"],
    ["a IS EMPTY", "isEmpty a"],
    ["a IS NOT EMPTY", "not(isEmpty a)"],
    ["a CONTAINS b", "a contains b"],
    ["a NOT CONTAINS b", "not(a contains b)"],
    ["a STARTS WITH b", "a startsWith b"],
    ["a NOT STARTS WITH b", "not(a startsWith b)"],
    ["_geoRadius(45.4, -9.1, 2000)", "radius 45.4 -9.1 2000"],
    ["_geoBoundingBox([45.5, 9.2], [45.4, 9.1])", "box 45.5 9.2 45.4 9.1"],
    ["author.name = /docs/x", "author.name=/docs/x"],
    ['"AND" = "OR"', "AND=OR"],
    ["NOTE = INN", "NOTE=INN"],
  ])("%s", (text, tree) => expect(parsed(text)).toBe(tree));
});

describe("2. precedence", () => {
  test.each([
    ["a=1 OR b=2 AND c=3", "or(a=1, and(b=2, c=3))"],
    ["NOT a=1 AND b=2", "and(not(a=1), b=2)"],
    ["NOT (a=1 AND b=2)", "not(and(a=1, b=2))"],
    ["(a=1 OR b=2) AND c=3", "and(or(a=1, b=2), c=3)"],
    ["NOT NOT a=1", "a=1"],
    ["NOT NOT NOT a=1", "not(a=1)"],
    ["NOT(a=1)", "not(a=1)"],
  ])("%s", (text, tree) => expect(parsed(text)).toBe(tree));
});

function quote(text: string, mark: string): string {
  return mark + text.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`) + mark;
}

test("3. quotes give back any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom('"', "'"), (text, mark) => {
      expect(parsed(`${quote(`n${text}`, mark)} = ${quote(text, mark)}`)).toBe(`n${text}=${text}`);
    }),
  );
}, 30_000);

test("4. arrays", () => {
  expect(parsed([["a=1", "b=2"], "c=3 OR d=4"])).toBe("and(or(a=1, b=2), or(c=3, d=4))");
  expect(parsed([['"section"="Container builds"']])).toBe("section=Container builds");
  for (const nothing of ["", "  ", [], [[]], [""], undefined]) expect(parsed(nothing)).toBe("none");
});

describe("5. mistakes", () => {
  test.each([
    ["title = a b", "`b`. You probably forgot an `OR` or an `AND` rule.\n11:12 title = a b"],
    ["title", "`_geoPolygon` at `title`.\n1:6 title"],
    ["title =", "Was expecting a value but instead got nothing.\n8:8 title ="],
    ["title = OR", "which is a reserved keyword. To use `OR` as a field name or a value"],
    ["(a = 1", "is missing the following closing delimiter: `)`.\n1:7 (a = 1"],
    ["é = 'x", "is missing the following closing delimiter: `'`.\n5:7 é = 'x"],
    ["a IN x", "Expected `[` after `IN` keyword."],
    ["a IN [x y]", "but instead found `y]`"],
    ["a IN [x", "Expected matching `]`"],
    ["_geoRadius(1, 2)", "expects three arguments"],
    ["_geoRadius(91, 2, 3)", "Bad latitude `91`"],
    ["_geoBoundingBox(1, 2)", "expects two pairs of arguments"],
    ["_geo = 3", "`_geo` is a reserved keyword"],
    ["_geoPoint(1, 2)", "`_geoPoint` is a reserved keyword"],
    ["a IS x", "Was expecting an operation"],
    ["a 1 2", "Was expecting an operation"],
    ["a = 1 OR", "but instead got nothing"],
  ])("%s", (text, message) => expect(messageOf(text)).toContain(message));
});

describe("6. hostile input", () => {
  test("any text", () => {
    const word = fc.constantFrom(
      ..."a b 1 = != > <= ( ) [ ] , AND OR NOT IN TO IS NULL EXISTS CONTAINS STARTS WITH ' \" \\ _geoRadius".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join(" ")),
        ),
        (text) => {
          messageOf(text);
        },
      ),
      { numRuns: 1000 },
    );
  });
  test("nesting and number", () => {
    expect(messageOf("(".repeat(50_000))).toContain("maximum depth");
    expect(messageOf(`${"NOT ".repeat(50_001)}a = 1`)).toBe("no error");
    expect(messageOf("a = 1 OR ".repeat(2001) + "a = 1")).toContain("Too many filter conditions");
  });
});
