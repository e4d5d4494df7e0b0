/** Building blocks of the schemas; their messages say what was expected, in Meilisearch's words. */
import * as z from "zod";
import {
  MAX_FILTER_ITEMS,
  MAX_OBJECT_KEYS,
  MAX_LIST_ITEMS,
  MAX_NAME_LENGTH,
  MAX_SETTING_ITEMS,
  MAX_TAG_LENGTH,
} from "./limits.ts";

export const text = z.string("a string");
export const flag = z.boolean("a boolean");
export const count = z.int("a positive integer").min(0);
export const decimal = z.number("a number");

/** The name of an attribute, an index or a sort rule. */
export const name = shortText(MAX_NAME_LENGTH);
/** A text that is put into every hit. */
export const tag = shortText(MAX_TAG_LENGTH);

/** Names in settings, which may be long lists of words. */
export const names = list(text, MAX_SETTING_ITEMS);
export const nullableNames = names.nullish();
/** Names in a search. */
export const searchNames = list(name, MAX_LIST_ITEMS);
export const nullableSearchNames = searchNames.nullish();

/** A filter: text, or nested arrays (outer AND, inner OR). */
export const filter = refuseMore(
  z.union(
    [text, z.array(z.union([text, z.array(text, "an array")], "a string or an array"))],
    "a string or an array",
  ),
  MAX_FILTER_ITEMS,
  countExpressions,
).nullish();

function countExpressions(value: unknown): number {
  if (!Array.isArray(value)) return 0;
  return value.reduce<number>((sum, item) => sum + (Array.isArray(item) ? item.length + 1 : 1), 0);
}

/** At most this many items; if there are more, none is checked. */
export function list<Item extends z.ZodType>(item: Item, most: number) {
  return refuseMore(z.array(item, "an array"), most, (value) => (Array.isArray(value) ? value.length : 0));
}

/** An object whose keys the client chooses. */
export function record<Item extends z.ZodType>(item: Item, most = MAX_OBJECT_KEYS) {
  return refuseMore(z.record(z.string(), item, "an object"), most, (value) =>
    value !== null && typeof value === "object" ? Object.keys(value).length : 0,
  );
}

/** A schema checks every item before it counts them and keeps every error: 200 MB for 280,000 items in 4 MB. */
function refuseMore<Schema extends z.ZodType>(
  schema: Schema,
  most: number,
  countOf: (value: unknown) => number,
) {
  return z.preprocess((value, context) => {
    const found = countOf(value);
    if (found <= most) return value;
    context.addIssue({
      code: "custom",
      message: `${found} items were sent; this server accepts at most ${most}.`,
    });
    return z.NEVER;
  }, schema);
}

/** A text of at most this many UTF-16 units. */
export function shortText(most: number) {
  return z.string("a string").max(most, {
    error: ({ input }) =>
      `${String(input).length} characters were sent; this server accepts at most ${most}.`,
  });
}

/** An object that refuses unknown fields and names the known ones. */
export function closedObject<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  const list = known.map((name) => `\`${name}\``).join(", ");
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return "an object";
      const near = known.find((name) => isNear(name, issue.keys[0] ?? ""));
      return `${near ? `did you mean \`${near}\`? ` : ""}expected one of ${list}`;
    },
  });
}

/** Equal except for case, or one letter added, removed or changed: worth a "did you mean". */
function isNear(known: string, given: string): boolean {
  const [a, b] = [known.toLowerCase(), given.toLowerCase()];
  if (a === b) return true;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const rests = [
    [a.slice(start + 1), b.slice(start + 1)],
    [a.slice(start + 1), b.slice(start)],
    [a.slice(start), b.slice(start + 1)],
  ];
  return rests.some(([x, y]) => x === y);
}
