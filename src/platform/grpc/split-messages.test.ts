/**
 * 1. Messages are read as they were written, wherever their bytes are split.
 * 2. A message that is compressed, too long or malformed is refused as soon as its head has arrived.
 * 3. The length of the incoming message is known with its head; it takes that much memory however it arrives.
 * 4. Split into pieces, a message has the same bytes, no piece is too large, and few are small.
 */
import { Code } from "@connectrpc/connect";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createMessageSplitter, frameMessage, framePieces } from "./split-messages.ts";

test("1. cut anywhere", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 }),
      fc.array(fc.nat(), { maxLength: 40 }),
      (messages, cuts) => {
        const bytes = Buffer.concat(messages.map((message) => frameMessage(message)));
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
          (a, b) => a - b,
        );
        const splitter = createMessageSplitter(200);
        const seen: Buffer[] = [];
        places.forEach((place, at) => {
          splitter.push(bytes.subarray(places[at - 1] ?? 0, place));
          for (let message = splitter.next(); message; message = splitter.next()) seen.push(message);
        });
        expect(seen.map((message) => message.toString("hex"))).toEqual(
          messages.map((message) => Buffer.from(message).toString("hex")),
        );
        expect(splitter.isWithin).toBe(false);
      },
    ),
  );
});

test("1. several parts of one message", () => {
  const splitter = createMessageSplitter(10);
  splitter.push(frameMessage(Buffer.from("one"), Buffer.from(""), Buffer.from("two")));
  expect(splitter.next()?.toString()).toBe("onetwo");
  splitter.push(Buffer.from([0, 0]));
  expect([splitter.next(), splitter.isWithin]).toEqual([null, true]);
});

test("2. what is refused", () => {
  const heads: [number[], Code][] = [
    [[1, 0, 0, 0, 1], Code.Unimplemented],
    [[0, 0, 0, 0, 11], Code.ResourceExhausted],
    [[0, 255, 255, 255, 255], Code.ResourceExhausted],
    [[7, 0, 0, 0, 1], Code.InvalidArgument],
  ];
  for (const [head, code] of heads) {
    const splitter = createMessageSplitter(10);
    splitter.push(Buffer.from(head));
    expect(() => splitter.next()).toThrow(expect.objectContaining({ code }));
  }
});

test("3. byte by byte", () => {
  const splitter = createMessageSplitter(100_000);
  const bytes = frameMessage(Buffer.alloc(50_000, "ab"));
  const awaited = new Set<number>();
  let message: Buffer | null = null;
  for (let at = 0; at < bytes.length; at += 1) {
    expect(message).toBeNull();
    splitter.push(bytes.subarray(at, at + 1));
    message = splitter.next();
    awaited.add(splitter.awaitedBytes);
  }
  expect([...awaited]).toEqual([0, 50_000]);
  expect(message?.equals(Buffer.alloc(50_000, "ab"))).toBe(true);
  expect(message?.buffer.byteLength).toBe(50_000);
});

test("4. in pieces", () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
  fc.assert(
    fc.property(parts, fc.integer({ min: 5, max: 200 }), (message, most) => {
      const pieces = [...framePieces(message, most)];
      expect(Buffer.concat(pieces)).toEqual(frameMessage(...message));
      for (const { length } of pieces) expect(length).toBeLessThanOrEqual(most);
      const bytes = message.reduce((sum, { length }) => sum + length, 5);
      expect(pieces.length).toBeLessThanOrEqual(1 + (3 * bytes) / most);
    }),
  );
});
