/**
 * Over real connections:
 * 1. Every answer has a request id; a valid id from a trusted proxy is kept, others are not; all lines logged for the request,
 *    including its failure's, have the same id.
 * 2. Nothing from a request's headers, query or body gets into the log.
 * 3. By default a line names neither the reader nor the page; `full` names both, with a shortened address; `off` writes no lines.
 *    A key within an address is always masked.
 * 4. `/metrics` exists only for its token; it is in Prometheus' text format, names and labels are bounded
 *    however many addresses and methods are requested, and each request is counted once.
 * 5. `/healthz` answers while the process lives; `/readyz` is red when a part fails, hangs or the server
 *    drains, names that part with the reason, and checks the parts at most once a second. A limitation of a ready part is also
 *    reported, and does not redirect requests.
 */
import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import parsePrometheus from "parse-prometheus-text-format";
import { afterEach, expect, test, vi } from "vitest";
import { parseEnvironment } from "../environment.ts";
import { createAddressOf } from "#platform/http/addresses/client-address.ts";
import { createLog } from "#platform/log/create-log.ts";
import { createApp } from "../app.ts";
import { listen } from "../port/listen.ts";
import { createEdge } from "../edge.ts";
import { observe, type ObserveOptions } from "./observe.ts";
import { houseOf, type TestParts } from "../testing/house.ts";

const TOKEN = "the-token-of-the-metrics";
const cleanUps: (() => void)[] = [];
afterEach(() => cleanUps.splice(0).forEach((cleanUp) => cleanUp()));

interface StartOptions extends Partial<ObserveOptions> {
  environment?: { [name: string]: string };
}

async function start({ environment = {}, ...options }: StartOptions = {}) {
  const written: string[] = [];
  const log = createLog({ isPretty: false, stream: { write: (line) => void written.push(line) } });
  const env = parseEnvironment({ METRICS_TOKEN: TOKEN, ...environment });
  const addressOf = createAddressOf(env.TRUSTED_PROXIES);
  const connections = { isDraining: false, size: 3, unsentBytes: 0, ...options.connections };
  const observation = observe({ env, log, addressOf, rooms: [], ...options, connections });
  const searches = new Hono();
  searches.all("*", (context) => context.json({ path: context.req.path }));
  const file = { type: "text/plain", etag: '"1"', cacheControl: "public", identity: Buffer.alloc(1234) };
  const runtime: TestParts = {
    origin: "http://localhost",
    files: new Map([
      ["/docs", file],
      ["/file.txt", file],
    ]),
    pathFor: (path) => path,
    searchRoutes: { admin: searches, public: new Hono() },
    telemetry: { app: new Hono() },
    render: (request) => {
      if (request.url.includes("failing")) throw new Error(`cannot render ${request.url}`);
      return Promise.resolve(new Response("none", { status: 404 }));
    },
  };
  const server = await listen(
    createApp(houseOf(runtime), createEdge({ rateLimitFactor: 0 }), observation),
    "127.0.0.1",
    0,
  );
  cleanUps.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  // It listens on a port, so the address is an AddressInfo.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines = () => written.map((line) => JSON.parse(line) as { [name: string]: unknown });
  /** The lines of `count` requests: each is written after its answer. */
  const linesOf = async (count: number) => {
    await vi.waitFor(() => expect(answers(lines())).toHaveLength(count));
    return answers(lines());
  };
  return { url, written, lines, linesOf, connections };
}

const answers = (lines: { [name: string]: unknown }[]) =>
  lines.filter(({ message }) => message === "answered");

test("1. request ids", async () => {
  const given = "0af7651916cd43dd8448eb211c80319c";
  const proxied = await start({ environment: { TRUSTED_PROXIES: "loopback" } });
  const ask = async (url: string, id: string) =>
    (await fetch(`${url}/docs`, { headers: { "x-request-id": id } })).headers.get("x-request-id");
  expect(await ask(proxied.url, given)).toBe(given);
  for (const wrong of ["short", "a".repeat(129), "with space in it", '{"json":"yes"}'])
    expect(await ask(proxied.url, wrong)).toMatch(/^[0-9a-f-]{36}$/);
  const open = await start();
  const ids = new Set<unknown>();
  for (let at = 0; at < 20; at++) ids.add(await ask(open.url, given));
  expect([ids.size, ids.has(given)]).toEqual([20, false]);

  const failing = await fetch(`${open.url}/failing`);
  const id = failing.headers.get("x-request-id");
  await open.linesOf(21);
  const ofFailure = open.lines().filter(({ requestId }) => requestId === id);
  expect([failing.status, ofFailure.map(({ level }) => level)]).toEqual([500, ["error", "warn"]]);
  expect(ofFailure[0]?.["message"]).toBe("GET /failing failed:");
});

test("2. nothing of a reader's", async () => {
  const { url, written, linesOf } = await start({ environment: { ACCESS_LOG: "full" } });
  const names = [
    "authorization",
    "cookie",
    "referer",
    "user-agent",
    "x-forwarded-for",
    "x-request-id",
  ].concat([
    "origin",
    "x-api-key",
    "if-none-match",
    "accept-language",
    "proxy-authorization",
    "x-anything",
    "forwarded",
  ]);
  const secrets: string[] = [];
  const secret = () => {
    secrets.push(`s3cr3t${secrets.length}s3cr3t`);
    return secrets.at(-1) ?? "";
  };
  const paths = [
    "/docs",
    "/failing",
    "/nothing",
    "/search/keys",
    "/search/multi-search",
    "/metrics",
    "/readyz",
  ];
  for (const path of paths)
    for (const method of ["GET", "POST"]) {
      const headers = Object.fromEntries(names.map((name) => [name, `Bearer ${secret()}`]));
      const query = `?q=${secret()}&${secret()}&x=${secret()}`;
      const body = method === "POST" ? { body: secret() } : {};
      await fetch(url + path + query, { method, headers, ...body });
    }
  await linesOf(paths.length * 2);
  for (const value of secrets) expect(written.join("")).not.toContain(value);
});

test("3. modes", async () => {
  const asked = ["/file.txt", "/nothing", "/search/keys/0123456789abcdef", "/healthz"];
  const seen = async (mode: string) => {
    const { url, linesOf } = await start({ environment: { ACCESS_LOG: mode } });
    for (const path of asked) await (await fetch(`${url}${path}?q=a`)).arrayBuffer();
    return linesOf(mode === "off" ? 0 : asked.length);
  };
  const quiet = await seen("private");
  expect(quiet.map(({ mount, path }) => [mount, path])).toEqual([
    ["site", undefined],
    ["site", "/nothing"],
    ["search-api", "/search/keys/…"],
    ["operator", "/healthz"],
  ]);
  expect(JSON.stringify(quiet)).not.toContain("127.0.0");
  expect(quiet[0]).toMatchObject({ method: "GET", status: 200, bytes: 1234, protocol: "1.1" });
  expect(quiet[0]?.["ms"]).toBeGreaterThanOrEqual(0);
  const full = await seen("full");
  expect(full.map(({ path }) => path)).toEqual(["/file.txt", "/nothing", "/search/keys/…", "/healthz"]);
  expect(full[0]?.["client"]).toBe("127.0.0.0/24");
  expect(await seen("off")).toEqual([]);
});

/** With a method that `fetch` refuses to send. */
const send = (url: string, method: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = httpRequest(url, { method, agent: false }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode));
    });
    sent.once("error", reject).end();
  });

test("4. metrics", async () => {
  const rooms = [
    {
      name: "some",
      lack: () => null,
      isReady: () => true,
      registerMetrics: (metrics: Parameters<ObserveOptions["rooms"][number]["registerMetrics"]>[0]) => {
        metrics.gauge("some_gauge", "Some.", () => 7);
        const many = Array.from({ length: 5000 }, (_, at) => [`reason "${at}"\n`, 1] as const);
        metrics.total({ name: "some_total", help: "Sums.", label: "reason", read: () => many });
      },
    },
  ];
  const { url, linesOf } = await start({ rooms });
  for (let at = 0; at < 50; at++) await fetch(`${url}/nothing/${at}?q=${at}`);
  for (const method of ["PROPFIND", "PURGE", "MKCOL"]) await send(`${url}/docs`, method);
  for (const authorization of ["", "Bearer wrong", `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
    const refused = await fetch(`${url}/metrics`, { headers: { authorization } });
    expect([refused.status, await refused.text()]).toEqual([401, ""]);
  }
  await linesOf(57);
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  const families = new Map(parsePrometheus(text).map((family) => [family.name, family]));
  const valuesOf = (name: string) => families.get(name)?.metrics ?? [];
  const requests = valuesOf("http_requests_total");
  const pages = { mount: "site", method: "GET", status: "404", protocol: "1.1" };
  expect(requests).toContainEqual({ value: "50", labels: pages });
  expect(requests.filter(({ labels }) => labels?.["method"] === "other").map(({ value }) => value)).toEqual([
    "3",
  ]);
  expect(requests.length).toBeLessThan(6);
  expect(text).not.toContain("/nothing");
  expect(valuesOf("some_gauge")).toEqual([{ value: "7" }]);
  const sums = valuesOf("some_total");
  expect([sums.length, sums.reduce((sum, { value }) => sum + Number(value), 0)]).toEqual([101, 5000]);
  expect(valuesOf("connections")).toEqual([{ value: "3" }]);
  for (const name of ["process_cpu_seconds_total", "nodejs_eventloop_lag_seconds"])
    expect(valuesOf(name)).toHaveLength(1);
  expect(families.get("http_request_duration_seconds")?.type).toBe("HISTOGRAM");

  const without = await start({ environment: { METRICS_TOKEN: "" } });
  const absent = await fetch(`${without.url}/metrics`, { headers: { authorization: "Bearer " } });
  expect(absent.status).toBe(404);
});

test("5. alive and ready", async () => {
  let checks = 0;
  const state = { isOpen: true, fails: false };
  const check = () => {
    checks += 1;
    if (state.fails) throw new Error("a path of this machine");
    return state.isOpen;
  };
  const rooms = [{ lack: () => null, name: "search", isReady: check, registerMetrics: () => {} }];
  const ready = async (options: StartOptions = {}) => {
    const { url } = await start({ rooms, ...options });
    const first = await fetch(`${url}/readyz`);
    for (let at = 0; at < 5; at++) await (await fetch(`${url}/readyz`)).arrayBuffer();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`, { method: "POST" })).status).toBe(405);
    return [first.status, await first.json()];
  };
  expect(await ready()).toEqual([200, { status: "ready", parts: { search: true, accepting: true } }]);
  expect(checks).toBeLessThanOrEqual(2);
  const red = (reason: RegExp) => [
    503,
    {
      status: "not ready",
      parts: { search: false, accepting: true },
      reasons: { search: expect.stringMatching(reason) },
    },
  ];
  state.isOpen = false;
  expect(await ready()).toEqual(red(/^It does not work\. The server's log says why\.$/));
  state.fails = true;
  expect(await ready()).toEqual(red(/^It does not work\. The server's log says why\.$/));
  const hanging = {
    name: "search",
    lack: () => null,
    isReady: () => new Promise<boolean>(() => {}),
    registerMetrics: () => {},
  };
  expect(await ready({ rooms: [hanging] })).toEqual(red(/did not respond within 2 seconds/));
  const draining = { isDraining: true, size: 0, unsentBytes: 0 };
  expect(await ready({ rooms: [], connections: draining })).toEqual([
    503,
    {
      status: "not ready",
      parts: { accepting: false },
      reasons: { accepting: "The server is stopping." },
    },
  ]);
  const lacking = {
    name: "disk",
    isReady: () => true,
    lack: () => ({ status: "disk full", reason: "Free some." }),
    registerMetrics: () => {},
  };
  expect(await ready({ rooms: [lacking] })).toEqual([
    200,
    { status: "disk full", parts: { disk: false, accepting: true }, reasons: { disk: "Free some." } },
  ]);
  expect(await ready({ rooms: [lacking, hanging] })).toMatchObject([503, { status: "not ready" }]);
});
