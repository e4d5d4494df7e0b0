/**
 * Bytes through the builder endpoint:
 *
 * 1. All of them arrive, in order and with their end, wherever they are cut, however slow their reader is, and however late turns
 *    come.
 * 2. Without a turn, no more is read; an organization with an immediate turn is not delayed.
 * 3. After a stop or a close nothing more is read, and a later turn changes nothing.
 * 4. Bytes of calls, both ways, are charged only to the build's organization: directly, in a tunnel, and when they are forwarded to
 *    another server; so is a message that is judged before it is forwarded.
 * 5. While its turn is missing, an organization's call waits, and another organization's call goes through; the first continues
 *    with its turn.
 * 6. An organization that has used up its share waits at the gate next to another organization, and all of its calls finish.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { PassThrough, Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { workGate } from "#platform/fair/work-gate.ts";
import { createBuildProxy } from "./create-build-proxy.ts";
import { MAX_EARLY_BYTES } from "./limits.ts";
import { CALL_BYTES, passBytes } from "./pass-bytes.ts";
import {
  answerMessages,
  ask,
  connectAs,
  CONTROL,
  ended,
  HOUR_MS,
  joinLoopback,
  open,
  useTestProxy,
} from "../testing/proxy.ts";

const place = useTestProxy();
const closers: (() => unknown)[] = [];
/** The gate's answer. */
let turnFor: (holder: string) => Promise<void> | undefined = () => undefined;
const charged = new Map<string, number>();
const note = (holder: string, bytes: number) => charged.set(holder, (charged.get(holder) ?? 0) + bytes);

beforeEach(() => {
  turnFor = () => undefined;
  charged.clear();
  vi.spyOn(workGate, "pace").mockImplementation((holder, bytes) => {
    note(holder, bytes);
    return turnFor(holder);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closers.splice(0).toReversed()) await close();
  for (const id of place().builds.keys()) place().proxy.cut(id);
  place().builds.clear();
  place().asked.length = 0;
});

const LATER = [
  () => undefined,
  () => Promise.resolve(),
  () => setImmediate(),
  () => setImmediate().then(() => setImmediate()),
];

test("1. all bytes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { maxLength: 20 }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 10 }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 10 }),
      async (parts, turns, delays) => {
        let [turn, delay] = [0, 0];
        turnFor = () => LATER[turns[turn++ % turns.length]!]!() as Promise<void> | undefined;
        const got: Uint8Array[] = [];
        const to = new Writable({
          highWaterMark: 50,
          write(chunk: Uint8Array, _encoding, done) {
            got.push(chunk);
            void Promise.resolve(LATER[delays[delay++ % delays.length]!]!()).then(() => done());
          },
        });
        passBytes(Readable.from(parts.map((part) => Buffer.from(part))), to, "org_a");
        await once(to, "finish");
        expect(Buffer.concat(got)).toEqual(Buffer.concat(parts));
      },
    ),
    { numRuns: 100 },
  );
});

test("2. without a turn", async () => {
  const turn = Promise.withResolvers<void>();
  const [from, to] = [new PassThrough(), new PassThrough()];
  turnFor = () => turn.promise;
  passBytes(from, to, "org_a");
  const all = buffer(to);
  from.write("a");
  await vi.waitFor(() => expect(charged.get("org_a")).toBe(1));
  from.end("b");
  await setImmediate();
  expect([charged.get("org_a"), from.isPaused()]).toEqual([1, true]);
  turnFor = () => undefined;
  turn.resolve();
  expect((await all).toString()).toBe("ab");
});

test.each(["stopped", "closed"])("3. %s meanwhile", async (how) => {
  const turn = Promise.withResolvers<void>();
  const [from, to] = [new PassThrough(), new PassThrough()];
  turnFor = () => turn.promise;
  const stop = passBytes(from, to, "org_a");
  from.write("a");
  await vi.waitFor(() => expect(charged.get("org_a")).toBe(1));
  if (how === "stopped") stop();
  else await once(to.destroy(), "close");
  from.write("b");
  turn.resolve();
  await setImmediate();
  expect([charged.get("org_a"), from.isPaused(), from.listenerCount("data")]).toEqual([1, true, 0]);
});

const BYTES = 300_000;

/** Sends as many bytes as it gets. */
async function callBothWays(session: Awaited<ReturnType<ReturnType<typeof place>["client"]>>) {
  place().behaviour.answer = ({ stream }) =>
    void stream.once("end", () => answerMessages(stream, [Buffer.alloc(BYTES)])).resume();
  const stream = open(session, `${CONTROL}Session`, { "x-docker-expose-session-uuid": randomUUID() });
  stream.end(Buffer.alloc(BYTES));
  const { status, bytes } = await ended(stream);
  expect([status, bytes.length]).toEqual([0, BYTES + 5]);
}

/** @param times how often each byte is charged: by a tunnel, and by the call within */
const isBothWays = (times: number) => {
  expect([...charged.keys()]).toEqual(["org_a"]);
  expect(charged.get("org_a")).toBeGreaterThan(2 * times * BYTES + CALL_BYTES);
};

test("4. charged, directly", async () => {
  place().builds.set("bld_a", place().live({ organizationId: "org_a" }));
  await callBothWays(await place().client("bld_a"));
  isBothWays(1);
  const charge = vi.spyOn(workGate, "charge");
  await ask(await place().client("bld_a"), `${CONTROL}Solve`, Buffer.alloc(BYTES, 0xff));
  const judged = charge.mock.calls
    .filter(([holder]) => holder === "org_a")
    .reduce((sum, [, cost]) => sum + cost, 0);
  // Megabytes, of milliseconds each, and parsed.
  expect(judged).toBeGreaterThan((BYTES / 2 ** 20) * 1.5 * 4);
});

test("4. charged, in a tunnel", async () => {
  const server = createServer().on("upgrade", (request, socket, head) =>
    place().proxy.takeTunnel(request, socket as Socket, head),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => server.close());
  place().builds.set("bld_a", place().live({ organizationId: "org_a" }));
  const token = place().tunnelTokens.sign("bld_a", "linux/amd64", Date.now() + HOUR_MS);
  const { port } = server.address() as AddressInfo;
  const tunnel = new WebSocket(`ws://127.0.0.1:${port}/builders/connect`, {
    headers: { authorization: `Bearer ${token}` },
  });
  closers.push(() => tunnel.terminate());
  await once(tunnel, "open");
  const { certificate, key } = await place().certify("bld_a");
  const tls = connectTls({
    socket: await joinLoopback(tunnel),
    servername: "localhost",
    ca: place().authority.certificate,
    cert: certificate,
    key,
  });
  tls.on("error", () => {});
  const session = connectHttp2("https://localhost", { createConnection: () => tls });
  session.on("error", () => {});
  turnFor = () => setImmediate();
  await callBothWays(session);
  isBothWays(2);
});

test("4. charged, at a server that passes them on", async () => {
  const { authority, certify, tunnelTokens, port, builds, live } = place();
  builds.set("bld_a", live({ organizationId: "org_far" }));
  const proxy = await createBuildProxy({
    authority,
    hosts: ["localhost"],
    tunnelTokens,
    listen: { host: "127.0.0.1", port: 0 },
    log: { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} },
    findBuild: () => null,
    findElsewhere: async () => ({ organizationId: "org_a", address: `127.0.0.1:${port}` }),
  });
  closers.push(() => proxy.close());
  const tls = await connectAs(proxy.port ?? 0, authority.certificate, { pair: await certify("bld_a") });
  const session = connectHttp2("https://localhost", { createConnection: () => tls });
  closers.push(() => session.destroy());
  turnFor = () => setImmediate();
  const charge = vi.spyOn(workGate, "charge");
  await callBothWays(session);
  expect(charge.mock.calls.filter(([holder]) => holder === "org_a").length).toBeGreaterThan(1);
  // Bytes from before the other server answered are charged without a turn.
  expect(charged.get("org_a")).toBeGreaterThan(2 * BYTES - 2 * MAX_EARLY_BYTES);
});

test("5. without a turn", async () => {
  place().builds.set("bld_evil", place().live({ organizationId: "org_evil" }));
  place().builds.set("bld_good", place().live({ organizationId: "org_good" }));
  const [evil, good] = [await place().client("bld_evil"), await place().client("bld_good")];
  const turn = Promise.withResolvers<void>();
  turnFor = (holder) => (holder === "org_evil" ? turn.promise : undefined);
  const late = callBothWays(evil);
  await vi.waitFor(() => expect(charged.get("org_evil")).toBeGreaterThan(0));
  await callBothWays(good);
  expect(place().asked).toHaveLength(1);
  turn.resolve();
  await late;
});

test("6. at the gate itself", async () => {
  vi.restoreAllMocks();
  place().builds.set("bld_a", place().live({ organizationId: "org_a" }));
  const session = await place().client("bld_a");
  const other = setInterval(() => void workGate.pace("org_b", 1), 10);
  closers.push(() => clearInterval(other));
  void workGate.pace("org_b", 1);
  await workGate.pace("org_a", 1);
  workGate.charge("org_a", 1e6);
  const { waits, refused } = workGate.totals;
  await Promise.all(Array.from({ length: 5 }, () => callBothWays(session)));
  expect(workGate.totals.waits).toBeGreaterThan(waits);
  expect(workGate.totals.refused).toBe(refused);
});
