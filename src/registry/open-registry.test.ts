/**
 * The registry behind the server's own listener:
 * 1. It answers next to pages, over HTTP/1.1 and HTTP/2. Each request is in the access log and the metrics once, with its
 *    answer's id; metrics distinguish outcomes, and count bytes, manifests, tags and blobs.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, onTestFinished, test, vi } from "vitest";
import { createCallers } from "#accounts/index.ts";
import { createLog } from "#platform/log/create-log.ts";
import { makePusher } from "#registry/testing/images.ts";
import { openTestRegistry } from "#registry/testing/registry.ts";
import { createEdge } from "#server/edge.ts";
import { parseEnvironment } from "#server/environment.ts";
import { createGuardedServer } from "#server/port/guarded-server.ts";
import { listen } from "#server/port/listen.ts";
import { observe } from "#server/operator/observe.ts";
import { waysOf } from "#server/room-ways.ts";
import { serveRegistry } from "./open-registry.ts";
import { curl } from "#server/testing/tools.ts";

const METRICS_TOKEN = "the-token-of-the-metrics";
const TYPE = "application/vnd.oci.image.manifest.v1+json";

async function start() {
  const { registry, accounts, database, close } = await openTestRegistry("sqlite");
  const { secret } = await makePusher({ registry, accounts });
  const written: string[] = [];
  const log = createLog({ isPretty: false, stream: { write: (line) => void written.push(line) } });
  const env = parseEnvironment({ METRICS_TOKEN });
  const callers = createCallers(accounts);
  const { room } = serveRegistry({ registry, callers, database, log });
  const { server, connections } = createGuardedServer({});
  const { addressOf } = createEdge();
  const { listeners, operatorApp = new Hono() } = observe({
    env,
    log,
    addressOf,
    connections,
    rooms: [room],
  });
  const app = new Hono().get("/", (context) => context.text("a page")).route("/", operatorApp);
  const { admitUpload } = connections;
  await listen(app, "127.0.0.1", 0, { server, connections, ...waysOf([room], { listeners, admitUpload }) });
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await close();
  });
  // A server that listens on a port has this kind of address.
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    secret,
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
    metrics: () => curl("--header", `Authorization: Bearer ${METRICS_TOKEN}`, `${url}/metrics`),
  };
}

test.each(["--http1.1", "--http2-prior-knowledge"])("1. curl %s", async (version) => {
  const { url, secret, lines, metrics } = await start();
  const folder = mkdtempSync(join(tmpdir(), "registry-body-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const show = ["--output", join(folder, "answer"), "--write-out", "%{http_code} %{header_json}"];
  const bearer = ["--header", `Authorization: Bearer ${secret}`];
  const ask = (path: string, ...more: string[]) => curl(version, ...show, ...bearer, ...more, url + path);
  expect(await curl(version, `${url}/`)).toBe("a page");

  const blob = randomBytes(3_000_000);
  const digest = `sha256:${createHash("sha256").update(blob).digest("hex")}`;
  const file = join(folder, "body");
  writeFileSync(file, blob);
  const posted = ["--request", "POST", "--data-binary", `@${file}`];
  expect(await ask(`/v2/acme/web/blobs/uploads/?digest=${digest}`, ...posted)).toMatch(/^201 /);
  const layers = [{ mediaType: "x/y", digest, size: blob.length }];
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType: TYPE, config: layers[0], layers });
  const put = ["--request", "PUT", "--header", `Content-Type: ${TYPE}`, "--data-binary", manifest];
  expect(await ask("/v2/acme/web/manifests/v1", ...put)).toMatch(/^201 /);
  const found = await ask(`/v2/acme/web/blobs/${digest}`);
  expect(found).toMatch(/^200 /);
  expect(await ask("/v2/acme/web/manifests/v2")).toMatch(/^404 /);
  expect(await curl(version, ...show, `${url}/v2/acme/web/manifests/v1`)).toMatch(/^401 /);

  const [, id] = /"x-request-id":\["([^"]*)"\]/.exec(found) ?? [];
  await vi.waitFor(() => expect(lines().filter(({ mount }) => mount === "registry")).toHaveLength(5));
  expect(lines().filter(({ requestId }) => requestId === id)).toEqual([
    expect.objectContaining({ method: "GET", path: `/v2/acme/web/blobs/${digest}`, bytes: 3_000_000 }),
  ]);
  const shown = await metrics();
  for (const line of [
    'registry_requests_total{outcome="pushed"} 2',
    'registry_requests_total{outcome="pulled"} 1',
    'registry_requests_total{outcome="missing"} 1',
    'registry_requests_total{outcome="refused"} 1',
    `registry_bytes_total{direction="in"} ${3_000_000 + manifest.length}`,
    'registry_bytes_total{direction="out"} 3000000',
    'registry_items{kind="manifests"} 1',
    'registry_items{kind="tags"} 1',
    'registry_items{kind="blobs"} 1',
  ])
    expect(shown).toContain(`\n${line}\n`);
  expect(shown).not.toContain(secret);
});
