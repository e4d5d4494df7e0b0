/**
 * The memory of sent bytes is reused immediately. Concurrent readers of different entries, fast ones, slow ones, ones that
 * leave in the middle, and ones that want a part, each get the bytes of their own entry, over HTTP/1.1 and HTTP/2.
 */
import { createHash, randomBytes } from "node:crypto";
import { get } from "node:http";
import { connect } from "node:http2";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openTestServer } from "../testing/server.ts";

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** @param leaveAfter bytes; then the connection is cut */
async function read(answer: Readable, { isSlow = false, leaveAfter = Number.POSITIVE_INFINITY } = {}) {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > leaveAfter) break;
    if (isSlow) await setImmediate();
  }
  return hash.digest("hex");
}

test("many readers", { timeout: 60_000 }, async () => {
  const { ask, port, http2Url, tokens, close } = await openTestServer();
  onTestFinished(close);
  const entries = Array.from({ length: 6 }, (_, at) => ({
    path: `/cache/gradle/${String(at).repeat(32)}`,
    content: randomBytes(700_000 + at * 300_000),
  }));
  for (const { path, content } of entries)
    expect((await ask("PUT", path, { body: content })).status).toBe(200);
  const authorization = `Bearer ${tokens.organization}`;
  const session = connect(http2Url);
  onTestFinished(() => session.destroy());
  const open = (path: string, headers = {}) =>
    new Promise<Readable>((resolve, reject) =>
      get({ port, path, agent: false, headers: { authorization, ...headers } }, resolve).once(
        "error",
        reject,
      ),
    );
  const readers = entries.map(({ path, content }, at) => async () => {
    const expected = hashOf(content);
    for (let round = 0; round < 6; round += 1) {
      expect(await read(await open(path))).toBe(expected);
      expect(await read(await open(path), { isSlow: true })).toBe(expected);
      await read(await open(path), { leaveAfter: 100_000 * (at + round) });
      const part = await open(path, { range: "bytes=300000-650000" });
      expect(await read(part)).toBe(hashOf(content.subarray(300_000, 650_001)));
      expect(await read(session.request({ ":path": path, authorization }))).toBe(expected);
    }
  });
  await Promise.all(readers.map((run) => run()));
});
