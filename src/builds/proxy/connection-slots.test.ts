/**
 * Connections and tunnels that builds of one organization keep open:
 *
 * 1. They are half of all together, whichever way and from whichever build they came; another organization is let in, both ways,
 *    and a place that was given back is free.
 * 2. Those of builds that have ended, or that another server has, count for the organization of the record, and those of builds
 *    without a record have their own limit.
 * 3. Each stream has one place; a closed stream takes none.
 * 4. The log says at most once a minute that an organization has too many.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { ClientHttp2Session } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { createBuildProxy } from "./create-build-proxy.ts";
import { createConnectionSlots, UNKNOWN } from "./connection-slots.ts";
import { TOLD_AGAIN_MS } from "./limits.ts";
import { ask, connectAs, CONTROL, HOUR_MS, useTestProxy } from "../testing/proxy.ts";

vi.mock("./limits.ts", async (original) => ({
  ...(await original<object>()),
  MAX_CONNECTIONS: 8,
  MAX_UNKNOWN: 2,
}));

const place = useTestProxy();
const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const close of closers.splice(0).toReversed()) await close();
  for (const id of place().builds.keys()) place().proxy.cut(id);
  place().builds.clear();
});

let port = 0;
beforeAll(async () => {
  const server = createServer().on("upgrade", (request, socket, head) =>
    place().proxy.takeTunnel(request, socket as Socket, head),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
  return () => server.close();
});

/** For a new build. @returns whether its client is served */
async function connect(organizationId: string) {
  const id = `bld_${randomBytes(8).toString("hex")}`;
  place().builds.set(id, place().live({ organizationId }));
  const client = await place().client(id);
  closers.push(() => client.destroy());
  return client;
}

const isServed = async (client: ClientHttp2Session) =>
  (await ask(client, `${CONTROL}ListWorkers`)).status === 0;

/** For a new build. @returns the tunnel, or the status of a refusal */
async function openTunnel(organizationId: string): Promise<WebSocket | number | undefined> {
  const id = `bld_${randomBytes(8).toString("hex")}`;
  place().builds.set(id, place().live({ organizationId }));
  const token = place().tunnelTokens.sign(id, "linux/amd64", Date.now() + HOUR_MS);
  const tunnel = new WebSocket(`ws://127.0.0.1:${port}/builders/connect`, {
    headers: { authorization: `Bearer ${token}` },
  });
  tunnel.on("error", () => {});
  closers.push(() => tunnel.terminate());
  return new Promise((resolve) => {
    tunnel.once("open", () => resolve(tunnel));
    tunnel.once("unexpected-response", (_request, { statusCode }) => resolve(statusCode));
  });
}

test("1. half of one organization", async () => {
  const first = await connect("org_evil");
  expect(await isServed(first)).toBe(true);
  for (let at = 0; at < 2; at += 1) expect(await openTunnel("org_evil")).toBeInstanceOf(WebSocket);
  expect(await isServed(await connect("org_evil"))).toBe(true);
  expect(await openTunnel("org_evil")).toBe(429);
  expect(await isServed(await connect("org_evil"))).toBe(false);
  expect(await isServed(await connect("org_good"))).toBe(true);
  expect(await openTunnel("org_good")).toBeInstanceOf(WebSocket);

  first.destroy();
  await vi.waitFor(async () => expect(await isServed(await connect("org_evil"))).toBe(true));
  expect(await openTunnel("org_evil")).toBe(429);
});

/** A connection to a server that has only one build. */
async function startElsewhere(warn: () => void = () => {}) {
  const { authority, tunnelTokens, live, certify } = place();
  const proxy = await createBuildProxy({
    authority,
    tunnelTokens,
    hosts: ["localhost"],
    listen: { host: "127.0.0.1", port: 0 },
    log: { debug() {}, info() {}, warn, error() {}, writes: () => false, flush() {} },
    findBuild: (id) => (id === "bld_good" ? live({ organizationId: "org_good" }) : null),
    findElsewhere: async (id) =>
      id.startsWith("bld_deleted") ? null : { organizationId: "org_evil", address: null },
  });
  closers.push(() => proxy.close());
  const open = async (id: string): Promise<TLSSocket> => {
    const pair = await certify(id);
    const tls = await connectAs(proxy.port ?? 0, authority.certificate, { pair });
    closers.push(() => tls.destroy());
    return tls.resume();
  };
  // A client that is let in gets an answer.
  const isLetIn = async (id: string) => {
    const tls = await open(id);
    return Promise.race([once(tls, "data").then(() => true), once(tls, "close").then(() => false)]);
  };
  return { open, isLetIn };
}

test("2. builds that this server does not have", async () => {
  const { isLetIn } = await startElsewhere();
  for (let at = 0; at < 4; at += 1) expect(await isLetIn(`bld_ended${at}`)).toBe(true);
  expect(await isLetIn("bld_ended4")).toBe(false);
  for (let at = 0; at < 2; at += 1) expect(await isLetIn(`bld_deleted${at}`)).toBe(true);
  expect(await isLetIn("bld_deleted2")).toBe(false);
  expect(await isLetIn("bld_good")).toBe(true);
});

test("3. one place each", () => {
  const slots = createConnectionSlots();
  const make = () => new PassThrough();
  const [moved, gone] = [make(), make()];
  expect([slots.hold(moved, UNKNOWN), slots.hold(make(), UNKNOWN)]).toEqual([true, true]);
  expect(slots.hold(make(), UNKNOWN)).toBe(false);
  expect(slots.hold(moved, "org_a")).toBe(true);
  expect(slots.hold(make(), UNKNOWN)).toBe(true);
  for (let at = 0; at < 3; at += 1) expect(slots.hold(make(), "org_a")).toBe(true);
  expect(slots.hold(make(), "org_a")).toBe(false);
  gone.destroy();
  expect(slots.hold(gone, "org_b")).toBe(false);
  for (let at = 0; at < 2; at += 1) expect(slots.hold(make(), "org_b")).toBe(true);
  // All slots are taken.
  expect(slots.hold(make(), "org_c")).toBe(false);
});

test("4. said once a minute", async () => {
  const warn = vi.fn();
  const { open, isLetIn } = await startElsewhere(warn);
  const first = await open("bld_ended");
  await once(first, "data");
  for (let at = 0; at < 3; at += 1) expect(await isLetIn(`bld_ended${at}`)).toBe(true);
  for (let at = 0; at < 3; at += 1) expect(await isLetIn("bld_more")).toBe(false);
  expect(warn).toHaveBeenCalledTimes(1);
  first.destroy();
  await vi.waitFor(async () => expect(await isLetIn("bld_again")).toBe(true), { timeout: 10_000 });
  expect(await isLetIn("bld_more")).toBe(false);
  expect(warn).toHaveBeenCalledTimes(1);
  const now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now + TOLD_AGAIN_MS);
  expect(await isLetIn("bld_more")).toBe(false);
  expect(warn).toHaveBeenCalledTimes(2);
});
