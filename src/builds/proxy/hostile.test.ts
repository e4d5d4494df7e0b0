/**
 * Attacks on the builders' port while another client works:
 *
 * 1. Sockets that never finish their handshake do not keep a client with a certificate out.
 * 2. 10,000 simultaneous calls, and 10,000 that are reset, are bounded or end the connection; others are served.
 * 3. Endless headers, bytes that are not HTTP/2, and a Solve of a million empty fields end with an answer or the connection.
 * 4. One build has a bounded number of connections; another is let in.
 * 5. Requests that are announced and never sent take no memory from others.
 */
import { once } from "node:events";
import { type ClientHttp2Session, constants } from "node:http2";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { MAX_BUILD_CONNECTIONS, MAX_HANDSHAKES, MAX_SOLVE_BYTES } from "./limits.ts";
import { ask, CONTROL, ended, open, useTestProxy } from "../testing/proxy.ts";
import type { ProxyBuild } from "./proxy-build.ts";

const place = useTestProxy();
const ALLOWED = `${CONTROL}ListWorkers`;

afterEach(() => {
  for (const id of place().builds.keys()) place().proxy.cut(id);
});

function useBuild(id: string, more?: Partial<ProxyBuild>): Promise<ClientHttp2Session> {
  place().builds.set(id, place().live(more));
  return place().client(id);
}

const isServed = async (client: ClientHttp2Session) => (await ask(client, ALLOWED)).status === 0;

test("1. handshakes that never end", async () => {
  const sockets: Socket[] = [];
  let closed = 0;
  for (let at = 0; at < MAX_HANDSHAKES + 50; at += 1) {
    const socket = connect(place().port, "127.0.0.1");
    socket.on("error", () => undefined).once("close", () => (closed += 1));
    // The start of a TLS record whose rest is missing.
    socket.write(Buffer.from([22, 3, 1, 2]));
    sockets.push(socket);
  }
  await vi.waitFor(() => expect(closed).toBe(50), { timeout: 10_000 });
  expect(await isServed(await useBuild("bld_good"))).toBe(true);
  for (const socket of sockets) socket.destroy();
});

test("2. calls without number", async () => {
  const [good, evil] = [await useBuild("bld_good"), await useBuild("bld_evil")];
  place().behaviour.answer = ({ path, stream }) => {
    if (path === ALLOWED) stream.respond({ ":status": 200, "grpc-status": "0" }, { endStream: true });
  };
  for (let at = 0; at < 10_000; at += 1)
    open(evil, `${CONTROL}Session`, { "x-docker-expose-session-uuid": `s${at}` });
  expect(await isServed(good)).toBe(true);
  expect(place().asked.length).toBeLessThan(1000);
  evil.destroy();
  const again = await place().client("bld_evil");
  const gone = new Promise<void>((resolve) => again.once("close", resolve));
  let reset = 0;
  while (reset < 10_000 && !again.destroyed) {
    const headers = { "x-docker-expose-session-uuid": "again" };
    const calls = Array.from({ length: 100 }, () => open(again, `${CONTROL}Session`, headers));
    await Promise.race([ask(again, ALLOWED), gone]);
    for (const call of calls) call.close(constants.NGHTTP2_CANCEL);
    reset += calls.length;
  }
  // Node's own limit, 1,000 at once and 33 a second, ends it.
  expect(again.destroyed).toBe(true);
  expect(reset).toBeLessThan(3000);
  expect(await isServed(good)).toBe(true);
});

test("3. endless headers, and bytes that are not HTTP/2", async () => {
  const [good, evil] = [await useBuild("bld_good"), await useBuild("bld_evil")];
  const long = open(
    evil,
    ALLOWED,
    Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}`, "y".repeat(500)])),
  );
  long.end();
  expect((await ended(long)).status).not.toBe(0);
  const fields = await place().client("bld_evil");
  const many = await ask(fields, `${CONTROL}Solve`, Buffer.alloc(2_000_000, Buffer.from([0x22, 0])));
  expect(many).toMatchObject({ status: 3, message: expect.stringContaining("fields") });
  const raw = await place().connect(await place().certify("bld_evil"));
  const closed = once(raw, "close");
  raw.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  raw.resume();
  await closed;
  expect(await isServed(good)).toBe(true);
});

test("4. connections without number", async () => {
  const good = await useBuild("bld_good");
  place().builds.set("bld_evil", place().live());
  const all = await Promise.all(
    Array.from({ length: MAX_BUILD_CONNECTIONS + 10 }, () => place().client("bld_evil")),
  );
  await vi.waitFor(() => expect(all.filter((each) => each.destroyed).length).toBe(10), { timeout: 10_000 });
  expect(await isServed(good)).toBe(true);
});

test("5. what is announced and never sent", async () => {
  const good = await useBuild("bld_good", { organizationId: "org_good" });
  const head = Buffer.alloc(6);
  head.writeUInt32BE(MAX_SOLVE_BYTES, 1);
  // An organization can have any number of builds, but only one share.
  for (let build = 0; build < 6; build += 1) {
    const evil = await useBuild(`bld_evil${build}`, { organizationId: "org_evil" });
    for (let at = 0; at < 20; at += 1) open(evil, `${CONTROL}Solve`).write(head);
    await ask(evil, ALLOWED);
  }
  // It is judged, so there was room for it.
  expect((await ask(good, `${CONTROL}Solve`, Buffer.alloc(100_000))).status).toBe(3);
});
