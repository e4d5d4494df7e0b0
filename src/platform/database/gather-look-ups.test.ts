/**
 * 1. Every caller gets its own result, in any order and however many ask; few statements run at a time, and none exceeds its
 *    maximum of keys.
 * 2. A look-up is never part of a statement that began before it.
 * 3. Only the callers that waited for a failed statement get its error.
 * 4. Statements are the server's own work, whoever asked first.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { currentRequestId, runForRequest } from "../log/request-context.ts";
import { gatherLookUps } from "./gather-look-ups.ts";

/** Statements that end when the test tells them to. */
function openDatabase() {
  const statements: { keys: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const find = gatherLookUps<number, string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    statements.push({ keys, end: () => resolve(keys.map((key) => `row ${key}`)), fail: reject });
    return promise;
  });
  return { statements, find };
}

test("1. everyone gets theirs", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 500 }), { maxLength: 900 }), async (keys) => {
      const { statements, find } = openDatabase();
      const found = Promise.all(keys.map(find));
      const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
      await nextTurn();
      let ended = 0;
      while (ended < statements.length) {
        expect(statements.length - ended).toBeLessThanOrEqual(2);
        const statement = statements[ended++]!;
        expect(statement.keys.length).toBeLessThanOrEqual(200);
        statement.end();
        await nextTurn();
      }
      expect(await found).toEqual(keys.map((key) => `row ${key}`));
      expect(statements.length).toBeLessThanOrEqual(2 + Math.ceil(keys.length / 200));
    }),
    { numRuns: 50 },
  );
});

test("2. and 3. no one joins a statement that runs, and failures stay apart", async () => {
  const { statements, find } = openDatabase();
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const first = Promise.all([find(1), find(2)]);
  first.catch(() => {});
  await nextTurn();
  const second = find(2);
  await nextTurn();
  const later = Promise.all([find(1), find(3)]);
  await nextTurn();
  expect(statements.map(({ keys }) => keys)).toEqual([[1, 2], [2]]);
  statements[0]!.fail(new Error("away"));
  await expect(first).rejects.toThrow("away");
  statements[1]!.end();
  expect(await second).toBe("row 2");
  expect(statements[2]!.keys).toEqual([1, 3]);
  statements[2]!.end();
  expect(await later).toEqual(["row 1", "row 3"]);
});

test("4. no one's statements", async () => {
  const find = gatherLookUps<number, string | undefined>(async (keys) => keys.map(currentRequestId));
  expect(await runForRequest("first", () => find(1))).toBeUndefined();
});
