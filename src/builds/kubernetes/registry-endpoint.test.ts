/**
 * 1. A builder's certificate opens the registry only for its own project.
 * 2. The certificate of a build, a certificate of another authority, and no certificate open nothing.
 */
import { createServer, type RequestListener } from "node:http";
import { Agent, request } from "node:https";
import { createServer as createNetServer, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { Log } from "#platform/log/log.ts";
import {
  type Authority,
  type CertificateWithKey,
  CLOCKS_DIFFER_MS,
  makeAuthority,
  openAuthority,
} from "../certificates/certificates.ts";
import { openRegistryEndpoint } from "./registry-endpoint.ts";

const log: Log = { debug() {}, info() {}, warn() {}, error() {}, writes: () => false, flush() {} };
const makeOne = async () => openAuthority(await makeAuthority(new Date()));
const soon = () => new Date(Date.now() + 60_000);

async function open(authority: Authority) {
  const port = await freePort();
  const endpoint = await openRegistryEndpoint({
    authority,
    inside: `localhost:${port}`,
    host: "127.0.0.1",
    listen(server, { organizationId, projectId }) {
      const answer: RequestListener = ({ url }, response) =>
        response.end(`${organizationId} ${projectId} ${url}`);
      const http = createServer(answer);
      server.on("connection", (socket) => http.emit("connection", socket));
    },
    log,
  });
  onTestFinished(() => endpoint.close());
  return (pair?: CertificateWithKey) => ask(port, authority.certificate, pair);
}

function ask(port: number, ca: string, pair?: CertificateWithKey): Promise<string> {
  const agent = new Agent({ ca, ...(pair && { cert: pair.certificate, key: pair.key }) });
  return new Promise((resolve, reject) => {
    const asked = request(`https://localhost:${port}/v2/`, { agent }, (response) =>
      text(response).then(resolve, reject),
    );
    asked.once("error", () => resolve("refused"));
    asked.end();
  });
}

function freePort(): Promise<number> {
  const server = createNetServer();
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    }),
  );
}

test("1. its own project", async () => {
  const authority = await makeOne();
  const asBuilder = await open(authority);
  expect(await asBuilder(await authority.signBuilder("org_1", "prj_1", soon()))).toBe("org_1 prj_1 /v2/");
  expect(await asBuilder(await authority.signBuilder("org_2", "prj_2", soon()))).toBe("org_2 prj_2 /v2/");
});

test("2. no one else", async () => {
  const authority = await makeOne();
  const asBuilder = await open(authority);
  const build = await authority.signClient("bld_1", "linux/amd64", soon());
  const stranger = await (await makeOne()).signBuilder("org_1", "prj_1", soon());
  const past = await authority.signBuilder("org_1", "prj_1", new Date(Date.now() - 1_000 - CLOCKS_DIFFER_MS));
  for (const pair of [build, stranger, past, undefined]) expect(await asBuilder(pair)).toBe("refused");
});
