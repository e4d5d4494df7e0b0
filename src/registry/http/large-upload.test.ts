/**
 * 300 MB go in, in one chunk and in several, and out again, while memory stays flat.
 */
import { createHash } from "node:crypto";
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, onTestFinished, test } from "vitest";
import { collectNow } from "#platform/testing/collect.ts";
import { openTestClient } from "../testing/client.ts";

const MEBIBYTE = 1024 * 1024;
const SIZE = 300 * MEBIBYTE;
/** No two pieces are alike. */
const piece = Buffer.alloc(MEBIBYTE, "a piece of a large layer");

function* pieces(count: number, first = 0) {
  for (let number = first; number < first + count; number += 1) {
    piece.writeUInt32LE(number);
    yield Buffer.from(piece);
  }
}

test("300 MB", { timeout: 120_000 }, async () => {
  const { ask, test: running, tokens, files, close } = await openTestClient();
  onTestFinished(close);
  const hash = createHash("sha256");
  for (const one of pieces(300)) hash.update(one);
  const digest = `sha256:${hash.digest("hex")}`;
  const begin = async () => String((await ask("POST", "/v2/acme/web/blobs/uploads/")).headers["location"]);
  const send = (path: string, from: Iterable<Buffer>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${tokens.organization}` };
      const sent = request(running.url + path, { method: "PATCH", headers }, (answer) =>
        answer.resume().once("end", () => resolve(answer.statusCode)),
      );
      pipeline(Readable.from(from, { highWaterMark: 1 }), sent).catch(reject);
    });
  let peak = 0;
  const before = process.memoryUsage.rss();
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  onTestFinished(() => clearInterval(timer));

  const whole = await begin();
  expect(await send(whole, pieces(300))).toBe(202);
  expect((await ask("PUT", `${whole}?digest=${digest}`)).status).toBe(201);
  await ask("DELETE", `/v2/acme/web/blobs/${digest}`);
  await collectNow(running.collector);
  const parts = await begin();
  for (const first of [0, 100, 200]) expect(await send(parts, pieces(100, first))).toBe(202);
  expect((await ask("PUT", `${parts}?digest=${digest}`)).status).toBe(201);

  const got = createHash("sha256");
  const headers = { authorization: `Bearer ${tokens.organization}` };
  const { body } = await fetch(`${running.url}/v2/acme/web/blobs/${digest}`, { headers });
  let bytes = 0;
  for await (const chunk of body!) {
    got.update(chunk);
    bytes += chunk.length;
  }
  expect([bytes, `sha256:${got.digest("hex")}`]).toEqual([SIZE, digest]);
  expect(files()).toHaveLength(1);
  expect((peak - before) / MEBIBYTE).toBeLessThan(150);
});
