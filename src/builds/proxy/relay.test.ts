/**
 * 1. A client that reaches a different server from its build's is answered by the build's server; if no server has the build, the
 *    client gets that error.
 * 2. A client is disconnected when the server that it was forwarded to falls silent, as after a power loss.
 * 3. A client that disconnects while the other server does not answer leaves nothing waiting.
 * 4. A client of a build without a record gets the error that the build has ended, and is disconnected.
 */
import { once } from "node:events";
import { connect } from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { createServer } from "node:tls";
import { afterEach, expect, test, vi } from "vitest";
import { consoleLog } from "#platform/log/log.ts";
import { createBuildProxy } from "./create-build-proxy.ts";
import { HANDSHAKE_MS } from "./limits.ts";
import { ask, connectAs, CONTROL, HOUR_MS, useTestProxy } from "../testing/proxy.ts";

vi.mock("./limits.ts", async (original) => ({
  ...(await original<object>()),
  RELAY_SILENCE_MS: 300,
  NO_RECORD_MS: 2_000,
}));

const place = useTestProxy();
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** To a server without builds. @param address of the server that has the build; undefined: there is no record of the build */
async function connectElsewhere(address: string | null | undefined) {
  const { authority, certify, tunnelTokens } = place();
  const proxy = await createBuildProxy({
    authority,
    hosts: ["localhost"],
    tunnelTokens,
    listen: { host: "127.0.0.1", port: 0 },
    log: { ...consoleLog, info: () => undefined, warn: () => undefined },
    findBuild: () => null,
    findElsewhere: () => Promise.resolve(address === undefined ? null : { organizationId: "org_a", address }),
  });
  closers.push(() => proxy.close());
  const tls = await connectAs(proxy.port ?? 0, authority.certificate, { pair: await certify("bld_a") });
  closers.push(() => tls.destroy());
  return tls;
}

test("1. passed on", async () => {
  const { builds, live, port } = place();
  builds.set("bld_a", live());
  const callAt = async (address: string | null) => {
    const tls = await connectElsewhere(address);
    const session = connect("https://localhost", { createConnection: () => tls });
    closers.push(() => session.destroy());
    return ask(session, `${CONTROL}ListWorkers`);
  };
  expect(await callAt(`127.0.0.1:${port}`)).toMatchObject({ status: 0 });
  expect(await callAt(null)).toMatchObject({ status: 7, message: expect.stringContaining("has ended") });
});

test("2. a server that falls silent", async () => {
  const { authority } = place();
  const { certificate, key } = await authority.signServer(["localhost"], new Date(Date.now() + HOUR_MS));
  const silent = createServer({ cert: certificate, key, ALPNProtocols: ["h2"] }, (socket) => {
    socket.on("error", () => undefined);
    socket.resume();
    closers.push(() => socket.destroy());
  });
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  closers.push(() => silent.close());
  const tls = await connectElsewhere(`127.0.0.1:${(silent.address() as AddressInfo).port}`);
  await once(tls.resume(), "close");
});

test.each([
  ["silently", ""],
  ["after what HTTP/2 begins with", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
])("3. a client that leaves %s", async (_, first) => {
  const mute = createTcpServer().listen(0, "127.0.0.1");
  await once(mute, "listening");
  closers.push(() => mute.close());
  const coming = once(mute, "connection");
  const tls = await connectElsewhere(`127.0.0.1:${(mute.address() as AddressInfo).port}`);
  const [far] = (await coming) as [Socket];
  tls.end(first);
  // Less than the timeout of a handshake.
  await once(far.resume(), "close", { signal: AbortSignal.timeout(HANDSHAKE_MS / 2) });
});

test("4. without a record", async () => {
  const tls = await connectElsewhere(undefined);
  const session = connect("https://localhost", { createConnection: () => tls });
  const closed = once(session, "close");
  const told = { status: 7, message: expect.stringContaining("has ended") };
  expect(await ask(session, `${CONTROL}ListWorkers`)).toMatchObject(told);
  await closed;
});
