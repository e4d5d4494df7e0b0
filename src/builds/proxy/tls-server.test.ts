/**
 * A client that resets its connection and reconnects from the same port, before the end of the first connection is seen:
 *
 * 1. The second connection is not treated as a tunnel, and takes a place of its organization.
 * 2. Without a certificate, it still counts among those of which the oldest is closed.
 */
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HANDSHAKE_MS } from "./limits.ts";
import { ask, CONTROL, useTestProxy } from "../testing/proxy.ts";

vi.mock("./limits.ts", async (original) => ({
  ...(await original<object>()),
  MAX_CONNECTIONS: 8,
  MAX_HANDSHAKES: 2,
}));

const place = useTestProxy();
const open = new Set<Socket>();
let server: Server;
beforeEach(async () => {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
  server.close();
});

/** @returns both of its ends */
async function join(): Promise<{ near: Socket; far: Socket }> {
  const coming = once(server, "connection");
  const near = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  const [far] = (await coming) as [Socket];
  open.add(near);
  return { near, far };
}

/** @returns a client whose former connection ended after this one arrived */
async function comeAgain(): Promise<Socket> {
  const [former, now] = [await join(), await join()];
  const { remoteAddress, remotePort, localPort } = now.far;
  for (const [name, value] of Object.entries({ remoteAddress, remotePort, localPort }))
    Object.defineProperty(former.far, name, { value });
  place().proxy.accept(former.far);
  place().proxy.accept(now.far);
  await once(former.far.destroy(), "close");
  return now.near;
}

test("1. its place", async () => {
  const { authority, builds, certify, live } = place();
  const isServed = async (id: string) => {
    builds.set(id, live());
    const { certificate, key } = await certify(id);
    const socket = await comeAgain();
    const tls = connectTls({
      socket,
      servername: "localhost",
      ca: authority.certificate,
      cert: certificate,
      key,
    });
    tls.on("error", () => {});
    const session = connectHttp2("https://localhost", { createConnection: () => tls }).on("error", () => {});
    return (await ask(session, `${CONTROL}ListWorkers`)).status === 0;
  };
  // Half of all places.
  for (let at = 0; at < 4; at += 1) expect(await isServed(`bld_${at}`)).toBe(true);
  expect(await isServed("bld_4")).toBe(false);
});

test("2. as a stranger", async () => {
  const again = await comeAgain();
  // Before the timeout of its handshake.
  const gone = once(again.resume(), "close", { signal: AbortSignal.timeout(HANDSHAKE_MS / 2) });
  for (let at = 0; at < 2; at += 1) place().proxy.accept((await join()).far);
  await gone;
});
