/**
 * 1. People and tools are not cut off: pages that are left while they load, searches while typing, builds of a known client that
 *    are stopped with all their calls in progress, many readers behind a trusted proxy.
 * 2. A stranger that cancels more at a time is cut off with ENHANCE_YOUR_CALM; so are a known client and a proxy.
 * 3. A stranger that cancels streams slowly is told to open another session after a while; a known client is not.
 * 4. A known client may cancel any number of answered streams.
 * 5. A stranger that has received answers may cancel more, four for each, and no more than 300.
 */
import { type ClientHttp2Session, connect, constants, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  countReset,
  EARNED,
  earnResets,
  KNOWN,
  PROXIES,
  STRANGER_RESETS,
  STRANGERS,
  trustSession,
} from "./stream-resets.ts";

const AT_ONCE = 100;

interface Who {
  /** Answers that it has received before. */
  answers?: number;
  isKnown?: boolean;
  isProxy?: boolean;
}

async function start({ isKnown = false, isProxy = false, answers = 0 }: Who) {
  // Disables Node's own limit.
  const server = createServer({
    streamResetBurst: 100_000,
    streamResetRate: 100_000,
    settings: { maxConcurrentStreams: AT_ONCE },
  });
  let now = 0;
  server.on("session", (session) => earnResets(session, answers, now));
  server.on("request", (request, response) => {
    const { session } = request.stream;
    if (!session) return;
    if (isKnown) trustSession(session);
    response.once("close", () => countReset(response, session, { now, isProxy }));
    response.writeHead(200);
    if (request.url === "/answered") response.end("all of it");
    else response.write("a part");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).on("error", () => {});
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  const codes: number[] = [];
  session.on("goaway", (code: number) => codes.push(code));
  return { session, codes, wait: (milliseconds: number) => void (now += milliseconds) };
}

/** All in progress at the same time. @returns how many it could cancel */
async function takeBack(session: ClientHttp2Session, count: number, path = "/"): Promise<number> {
  const take = () => {
    if (session.closed || session.destroyed) return 0;
    // Its window has no room for an answer.
    const stream = session.request({ ":path": path }, { endStream: path === "/" }).on("error", () => {});
    stream.once("response", () => stream.close(constants.NGHTTP2_CANCEL));
    return new Promise<number>((resolve) => stream.once("close", () => resolve(1)));
  };
  const taken = await Promise.all(Array.from({ length: count }, take));
  // The server has read everything when it answers.
  await new Promise<void>((resolve) => {
    const done = () => {
      session.off("close", done);
      resolve();
    };
    session.once("close", done);
    if (session.destroyed || session.closed || !session.ping(done)) done();
  });
  return taken.reduce((sum, one) => sum + one, 0);
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < times; at += 1) await work();
}

test("1. pages that are left, searches while someone types", async () => {
  const pages = await start({});
  await takeBack(pages.session, AT_ONCE);
  await repeat(9, () => (pages.wait(3_000), takeBack(pages.session, 50)));
  expect([pages.codes, pages.session.destroyed]).toEqual([[], false]);
  const typing = await start({});
  await repeat(500, () => (typing.wait(100), takeBack(typing.session, 1)));
  expect([typing.codes, typing.session.destroyed]).toEqual([[], false]);
});

test("1. builds that are stopped, readers behind a proxy", async () => {
  const builds = await start({ isKnown: true });
  // And as many as were waiting for a place.
  await repeat(2, () => takeBack(builds.session, AT_ONCE));
  await repeat(10, () => (builds.wait(1_000), takeBack(builds.session, AT_ONCE)));
  expect([builds.codes, builds.session.destroyed]).toEqual([[], false]);
  const proxy = await start({ isProxy: true });
  await repeat(200, () => (proxy.wait(100), takeBack(proxy.session, 20)));
  expect([proxy.codes, proxy.session.destroyed]).toEqual([[], false]);
});

const crowds: [string, Who, number][] = [
  ["a stranger", {}, STRANGERS.burst],
  ["a known client", { isKnown: true }, KNOWN.burst],
  ["a proxy", { isProxy: true }, PROXIES.burst],
];

test.each(crowds)("2. too many at once, %s", async (_name, who, burst) => {
  const { session, codes } = await start(who);
  let taken = 0;
  for (let at = 0; at < 3_000 && !session.destroyed && !session.closed; at += 10)
    taken += await takeBack(session, 10);
  expect(taken).toBeGreaterThanOrEqual(burst);
  expect(taken).toBeLessThanOrEqual(burst + 10);
  expect(codes).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM]);
});

test("3. slowly", async () => {
  const stranger = await start({});
  let taken = 0;
  while (!stranger.session.closed && !stranger.session.destroyed && taken < 2 * STRANGER_RESETS) {
    stranger.wait(1000);
    taken += await takeBack(stranger.session, 1);
  }
  expect(taken).toBeGreaterThanOrEqual(STRANGER_RESETS);
  expect(taken).toBeLessThan(STRANGER_RESETS + 10);
  expect(new Set(stranger.codes)).toEqual(new Set([constants.NGHTTP2_NO_ERROR]));
  const known = await start({ isKnown: true });
  await repeat(2 * STRANGER_RESETS, () => (known.wait(1000), takeBack(known.session, 1)));
  expect([known.codes, known.session.destroyed]).toEqual([[], false]);
});

test("4. answered before", async () => {
  const { session, codes } = await start({ isKnown: true });
  await repeat(2 * (KNOWN.burst / AT_ONCE), () => takeBack(session, AT_ONCE, "/answered"));
  expect([codes, session.destroyed]).toEqual([[], false]);
});

test.each([20, 1_000])("5. %s answers", async (answers) => {
  const { session, codes } = await start({ answers });
  const most = STRANGERS.burst + Math.min(EARNED.most, answers * EARNED.perAnswer);
  let taken = 0;
  while (taken < 2 * most && !session.destroyed && !session.closed) taken += await takeBack(session, 10);
  expect(taken).toBeGreaterThanOrEqual(most);
  expect(taken).toBeLessThanOrEqual(most + 10);
  expect(codes).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM]);
});
