/**
 * 1. A page token from an answer leads past the last object; the last page has none.
 * 2. Any other text is refused as `invalid_argument` and names the field, and so is a size that is not allowed.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readPage, toPage } from "./page.ts";
import { Refused } from "./refused.ts";

const keys = { keyOf: (row: string) => ({ sort: row, id: row }), itemOf: (row: string) => row };

test("1. pages", () => {
  const first = readPage({ pageSize: 2 }, "text");
  expect(first).toEqual({ size: 2, limit: 3, after: null });
  const page = toPage(["a", "b", "c"], first, keys);
  expect(page.items).toEqual(["a", "b"]);
  expect(readPage({ pageToken: page.nextPageToken }, "text")).toEqual({
    size: 20,
    limit: 21,
    after: { sort: "b", id: "b" },
  });
  expect(toPage(["a", "b"], first, keys).nextPageToken).toBe("");
  expect(toPage([], first, keys)).toEqual({ items: [], nextPageToken: "" });
});

test("2. damaged", () => {
  const refusal = (input: object, sort: "text" | "number" = "text") => {
    try {
      // One of the two overloads.
      readPage(input, sort as "text");
      return null;
    } catch (error) {
      return error instanceof Refused ? `${error.code} ${error.field}` : error;
    }
  };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const values = [["a"], ["a", ""], ["a", 1], { a: 1 }, [1, "a"], ["\0", "a"], ["a", "\uD800"], null];
  const texts = ["!", "Yg", "x".repeat(2000), ...values.map(encode)];
  for (const pageToken of texts) expect(refusal({ pageToken })).toBe("invalid_argument page_token");
  for (const pageToken of [encode(["a", "b"]), encode([1.5, "b"])])
    expect(refusal({ pageToken }, "number")).toBe("invalid_argument page_token");
  for (const pageSize of [-1, 101, 0.5, Number.NaN])
    expect(refusal({ pageSize })).toBe("invalid_argument page_size");
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (pageToken) => {
      expect(refusal({ pageToken })).toBe("invalid_argument page_token");
    }),
  );
});
