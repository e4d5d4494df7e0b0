/**
 * Answers of a hostile server:
 * 1. A valid answer is read correctly; one that is cut off or has more bytes than its entries is refused.
 * 2. Ids that are not 64 digits and malformed sizes and times never reach the disk.
 * 3. Any bytes either fail or give entries whose ids, sizes and bytes agree.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ID } from "./entry.ts";
import { parseFindAnswer } from "./find-answer.ts";

const id = (letter: string) => letter.repeat(64);
const good = { action: id("a"), output: id("b"), size: 5, time: "1764000000000000000", inline: true };
const answerOf = (entries: unknown, bytes = "hello") =>
  Buffer.from(`${JSON.stringify({ entries })}\n${bytes}`);

test("1. as it was meant", () => {
  const other = { ...good, action: id("c"), size: 900_000, inline: false };
  const found = parseFindAnswer(answerOf([other, good, { ...good, action: id("d"), size: 2 }], "helloyo"));
  expect(
    [...found].map(([action, { bytes }]) => [action[0], bytes && Buffer.from(bytes).toString()]),
  ).toEqual([
    ["c", undefined],
    ["a", "hello"],
    ["d", "yo"],
  ]);
  for (const bytes of ["hell", "", "hello!"])
    expect(() => parseFindAnswer(answerOf([good], bytes))).toThrow(/cut off|belong to no entry/);
});

test.each([
  [
    "output",
    [
      "../../../../home/me/.bashrc",
      `${id("b")}/x`,
      `${id("b")}\n`,
      id("B"),
      id("b").slice(1),
      "",
      null,
      [id("b")],
    ],
  ],
  ["action", ["../x", `${id("a")}\0`, 5, undefined, "__proto__"]],
  ["size", [-1, 4.5, "5", null, 1e300, 2_000_000_001, Number.MAX_SAFE_INTEGER + 1]],
  ["time", ["", "-1", "1e9", "now", 5, "1".repeat(20), "1 0\n", null]],
])("2. a wrong %s", (field, values) => {
  for (const value of values)
    expect(() => parseFindAnswer(answerOf([{ ...good, [field]: value }]))).toThrow(
      "the response has an invalid entry",
    );
});

test("3. any bytes", () => {
  const value = fc.oneof(
    fc.record(
      {
        action: fc.oneof(fc.constant(id("a")), fc.string()),
        output: fc.oneof(fc.constant(id("b")), fc.string()),
        size: fc.oneof(fc.nat(10), fc.double()),
        time: fc.oneof(fc.constant("5"), fc.string()),
        inline: fc.oneof(fc.boolean(), fc.anything()),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  );
  const answer = fc
    .tuple(fc.oneof(fc.array(value, { maxLength: 5 }), fc.jsonValue()), fc.string({ maxLength: 20 }))
    .map(([entries, bytes]) => answerOf(entries, bytes));
  fc.assert(
    fc.property(
      fc.oneof(
        answer,
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      ),
      (bytes) => {
        let found: ReturnType<typeof parseFindAnswer>;
        try {
          found = parseFindAnswer(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          return;
        }
        for (const [action, entry] of found) {
          expect([ID.test(action), ID.test(entry.output), Number.isSafeInteger(entry.size)]).toEqual([
            true,
            true,
            true,
          ]);
          if (entry.bytes) expect(entry.bytes.length).toBe(entry.size);
        }
      },
    ),
    { numRuns: 500 },
  );
});
