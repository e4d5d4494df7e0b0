/**
 * 1. A stranger that takes streams back slowly is told to open another session after a while; one that is known is not.
 * 2. A stranger that takes back many at once is cut off.
 */
import { type ClientHttp2Session, connect, constants, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { countReset, STRANGER_RESETS, trustSession } from "./stream-resets.ts";

/** @param stepMs between two streams that are taken back */
async function start({ stepMs, isKnown = false }: { stepMs: number; isKnown?: boolean }) {
  // Node has a limit of its own.
  const server = createServer({ streamResetBurst: 10_000, streamResetRate: 10_000 });
  let now = 0;
  server.on("request", (request, response) => {
    const { session } = request.stream;
    if (!session) return;
    if (isKnown) trustSession(session);
    response.once("close", () => countReset(response, session, (now += stepMs)));
    response.writeHead(200);
    response.write("a part");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).on("error", () => {});
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  const codes: number[] = [];
  session.on("goaway", (code: number) => codes.push(code));
  return { session, codes };
}

/** @returns how many it could */
async function takeBack(session: ClientHttp2Session, count: number): Promise<number> {
  for (let at = 0; at < count; at += 1) {
    if (session.closed || session.destroyed) return at;
    const stream = session.request().on("error", () => {});
    const isClosed = new Promise((resolve) => stream.once("close", resolve));
    stream.once("response", () => stream.close(constants.NGHTTP2_CANCEL));
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await isClosed;
  }
  return count;
}

test("1. slowly", async () => {
  const stranger = await start({ stepMs: 1000 });
  const taken = await takeBack(stranger.session, 2 * STRANGER_RESETS);
  expect(taken).toBeGreaterThanOrEqual(STRANGER_RESETS);
  expect(taken).toBeLessThan(STRANGER_RESETS + 10);
  expect(stranger.codes).toEqual([constants.NGHTTP2_NO_ERROR]);
  const known = await start({ stepMs: 1000, isKnown: true });
  expect(await takeBack(known.session, 2 * STRANGER_RESETS)).toBe(2 * STRANGER_RESETS);
});

test("2. at once", async () => {
  const { session } = await start({ stepMs: 0 });
  expect(await takeBack(session, STRANGER_RESETS)).toBeLessThan(STRANGER_RESETS / 2 + 10);
});
