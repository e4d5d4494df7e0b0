/**
 * 1. All are answered, in order; few are in progress at the same time, and in one turn of the event loop no more bytes are
 *    begun than one turn may have.
 * 2. After one fails, or when no client waits any more, none is begun, and none is in progress when the result is reported.
 * 3. The entries of a batch share few transactions, and each blob has its own status.
 */
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { CallOverError } from "#platform/grpc/call-waits.ts";
import { inTurns } from "./in-turns.ts";
import { BATCH_AT_ONCE, BATCH_TURN_BYTES, ITEM_BYTES, PUT_AT_ONCE } from "../calls/limits.ts";
import { digestOf, openTestReapi } from "../../testing/reapi.ts";

test("1. in turns", async () => {
  const sizes = fc.array(fc.nat(2 * BATCH_TURN_BYTES), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.boolean(), async (all, isSlow) => {
      let [turn, isOver, underWay] = [0, false, 0];
      const count = () => {
        turn += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      const begun = new Map<number, number>();
      const answers = await inTurns(
        all,
        { sizes: all, holder: "acme", isGone: () => false },
        async (size) => {
          const cost = Math.min(BATCH_TURN_BYTES, size + ITEM_BYTES);
          begun.set(turn, (begun.get(turn) ?? 0) + cost);
          underWay += 1;
          expect(underWay).toBeLessThanOrEqual(BATCH_AT_ONCE);
          if (isSlow) await nextTurn();
          underWay -= 1;
          return size;
        },
      );
      isOver = true;
      expect(answers).toEqual(all);
      // Work may begin on either side of where this test counts turns.
      for (const bytes of begun.values()) expect(bytes).toBeLessThanOrEqual(2 * BATCH_TURN_BYTES);
    }),
    { numRuns: 50 },
  );
});

test.each(["fails", "is left"])("2. a batch that %s", async (how) => {
  let [begun, underWay, isGone] = [0, 0, false];
  const sizes = Array.from({ length: 10 * BATCH_AT_ONCE }, () => 0);
  const work = inTurns(sizes, { sizes, holder: "acme", isGone: () => isGone }, async () => {
    begun += 1;
    const isLast = begun === BATCH_AT_ONCE;
    underWay += 1;
    await nextTurn();
    underWay -= 1;
    if (!isLast) await nextTurn();
    else if (how === "fails") throw new Error("broken");
    else isGone = true;
  });
  await (how === "fails"
    ? expect(work).rejects.toThrow("broken")
    : expect(work).rejects.toThrow(CallOverError));
  expect(underWay).toBe(0);
  expect(begun).toBeLessThan(3 * BATCH_AT_ONCE);
});

test.each(testDatabaseKinds)("3. transactions of a batch: %s", async (kind) => {
  const reapi = await openTestReapi(kind);
  onTestFinished(reapi.close);
  const blobs = Array.from({ length: 4 * PUT_AT_ONCE }, () => randomBytes(5_000));
  const requests = blobs.map((data) => ({ digest: digestOf(data), data }));
  requests[7]!.digest = digestOf(randomBytes(9));
  const transactions = vi.spyOn(reapi.database.db, "transaction");
  const { responses } = await reapi.clients().storage.batchUpdateBlobs({ requests });
  // One more adds up the changes. With PostgreSQL some arrive while others are written.
  expect(transactions.mock.calls.length).toBeLessThanOrEqual(kind === "sqlite" ? 5 : PUT_AT_ONCE);
  expect(responses.flatMap(({ status }, at) => (status?.code ? [at] : []))).toEqual([7]);
  const digests = blobs.map(digestOf);
  const { missingBlobDigests } = await reapi.clients().storage.findMissingBlobs({ blobDigests: digests });
  expect(missingBlobDigests.map(({ hash }) => hash)).toEqual([digests[7]!.hash]);
});
