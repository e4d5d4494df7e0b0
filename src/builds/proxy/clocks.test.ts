/**
 * A server whose clock is an hour ahead or behind signs, and others check it by the right clock, which OpenSSL reads from the
 * machine:
 *
 * 1. A client gets its builder's address and certificate by the public call, and a call to its builder goes through TLS at the
 *    port.
 * 2. Another server, which has the build, is reached through this one, which forwards with its own certificate.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { consoleLog } from "#platform/log/log.ts";
import { makeAuthority, openAuthority } from "../certificates/certificates.ts";
import { disk, platform } from "../testing/disk.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { createTunnelTokens } from "../certificates/tunnel-tokens.ts";
import { createBuildProxy } from "./create-build-proxy.ts";
import { ask, connectAs, CONTROL, HOUR_MS, startBuilder } from "../testing/proxy.ts";

/** Shorter than clocks may differ. */
const TIMEOUT_MS = HOUR_MS / 2;
const log = { ...consoleLog, info() {}, warn() {} };
const listen = { host: "127.0.0.1", port: 0 };
const hosts = ["localhost", "127.0.0.1"];

afterEach(() => void vi.useRealTimers());

const setClock = (shiftMs: number) => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + shiftMs });

/** Its clock is used for its authority, its port and its certificates. */
async function startServer(shiftMs: number) {
  setClock(shiftMs);
  const folder = mkdtempSync(join(tmpdir(), "clocks-"));
  const socket = join(folder, "b.sock");
  const builder = await startBuilder(socket);
  const authority = await openAuthority(await makeAuthority(new Date()));
  const tunnelTokens = createTunnelTokens(randomBytes(32), Date.now);
  /** The other server's parts. */
  const parts = { authority, tunnelTokens, listen, hosts, log };
  const place = await openTestBuilds("sqlite", {
    authority,
    timeoutMs: TIMEOUT_MS,
    builders: { ...disk({}), open: async (want) => ({ ...(await disk({}).open(want)), socket }) },
    async openProxy(findBuild) {
      const proxy = await createBuildProxy({ ...parts, findBuild });
      const address = () => `tcp://localhost:${proxy.port}`;
      return { ...proxy, address, serverName: "localhost", inside: "", signTunnel: tunnelTokens.sign };
    },
  });
  return {
    ...place,
    parts,
    asked: builder.asked,
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]();
      builder.close();
      rmSync(folder, { recursive: true });
    },
  };
}

type Endpoint = Awaited<ReturnType<Awaited<ReturnType<typeof startServer>>["builds"]["getEndpoint"]>>;

/** As the CLI has buildx do it. */
async function callBuilder(port: number, { caCertificate, clientCertificate, clientKey }: Endpoint) {
  const tls = await connectAs(port, caCertificate, {
    pair: { certificate: clientCertificate, key: clientKey },
  });
  const session = connect("https://localhost", { createConnection: () => tls });
  session.on("error", () => undefined);
  try {
    return await ask(session, `${CONTROL}ListWorkers`);
  } finally {
    session.destroy();
  }
}

test.each([
  ["ahead", HOUR_MS],
  ["behind", -HOUR_MS],
])("1. and 2. a server an hour %s", async (_, shiftMs) => {
  await using server = await startServer(shiftMs);
  const { builds, caller, asked, parts } = server;
  const { id: projectId } = await server.addProject("web");
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const { id: buildId } = await builds.create(caller, input);
  const endpoint = await builds.getEndpoint(caller, { buildId, platform });
  const port = Number(new URL(endpoint.address).port);
  const second = await createBuildProxy({
    ...parts,
    findBuild: () => null,
    findElsewhere: async () => ({ organizationId: "org_far", address: `127.0.0.1:${port}` }),
  });
  try {
    expect(await callBuilder(port, endpoint)).toMatchObject({ status: 0 });
    expect(await callBuilder(second.port!, endpoint)).toMatchObject({ status: 0 });
    expect(asked.map(({ path }) => path)).toEqual([`${CONTROL}ListWorkers`, `${CONTROL}ListWorkers`]);
  } finally {
    await second.close();
  }
});
