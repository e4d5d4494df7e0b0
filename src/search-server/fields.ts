/** Building blocks of the schemas; their messages say what was expected, as Meilisearch says it. */
import * as z from "zod";

export const text = z.string("a string");
export const flag = z.boolean("a boolean");
export const count = z.int("a positive integer").min(0);
export const decimal = z.number("a number");
export const names = z.array(text, "an array");
export const nullableNames = names.nullish();

/** A filter: text, or nested arrays (outer AND, inner OR). */
export const filter = z
  .union([text, z.array(z.union([text, names], "a string or an array"))], "a string or an array")
  .nullish();

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

/** Equal but for case, one letter more, fewer or different: worth a "did you mean". */
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
