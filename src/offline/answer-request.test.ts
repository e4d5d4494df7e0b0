/**
 * 1. The worker handles pages of the documentation, their data and texts, searches and built files, and nothing else:
 *    no other part of the site, no other method, no credentials, no other origin.
 * 2. The network answers first. The copy answers if the network fails, is late, sends a page in place of data, a text or an
 *    answer, or if a proxy reports that the server is down; without a copy, the network's answer is passed on.
 * 3. After a late answer the network gets less time, until it is fast again.
 * 4. Built files come from the copy first. An address without a page gets the "not found" page.
 * 5. `?q=` is in the search box of the page, whatever its text.
 * 6. The address of a page that has moved leads to the new address, with its query.
 * 7. If the disk fails or does not answer, the request is left to the network.
 */
import { expect, test, vi } from "vitest";
import { type Asked, createAnswerer, readAsked } from "./answer-request.ts";
import { COPY_WAIT_MS, NETWORK_WAIT_MS, SLOW_NETWORK_MS, SLOW_NETWORK_WAIT_MS } from "./limits.ts";

const origin = "https://docs.example.com";

function ask(
  path: string,
  options: { method?: string; mode?: string; headers?: { [name: string]: string } } = {},
) {
  const { method = "GET", mode = "navigate", headers = {} } = options;
  const url = new URL(path, origin).href;
  return readAsked({ method, mode, url, headers: new Headers(headers) }, origin);
}

test.each<[string, Parameters<typeof ask>[1], Asked["kind"], string]>([
  ["/docs", {}, "page", "/docs"],
  ["/docs/", {}, "page", "/docs"],
  ["/docs/faq?x=1#a", {}, "page", "/docs/faq"],
  ["/docs/faq.data?_routes=a", { mode: "cors" }, "data", "/docs/faq.data"],
  ["/docs.data", { mode: "cors" }, "data", "/docs.data"],
  ["/docs/faq.md", {}, "text", "/docs/faq.md"],
  ["/docs/glossary.json", { mode: "cors" }, "text", "/docs/glossary.json"],
  ["/docs/faq", { mode: "cors", headers: { accept: "text/markdown" } }, "text", "/docs/faq.md"],
  ["/assets/docs-12345678.js", { mode: "cors" }, "file", "/assets/docs-12345678.js"],
  ["/favicon.svg", { mode: "no-cors" }, "file", "/favicon.svg"],
  ["/multi-search", { method: "POST", mode: "cors" }, "search", "/multi-search"],
])("1. %s %o", (path, options, kind, expected) => {
  expect(ask(path, options)).toMatchObject({ kind, path: expected });
});

test.each<[string, Parameters<typeof ask>[1]]>([
  ["/", {}],
  ["/docsx", {}],
  ["/docs/faq", { mode: "cors" }],
  ["/docs/faq", { method: "POST" }],
  ["/docs/faq", { headers: { authorization: "Bearer x" } }],
  ["/multi-search", { method: "POST", headers: { authorization: "Bearer x" } }],
  ["/multi-search", {}],
  ["/search/indexes/docs/search", { method: "POST" }],
  ["https://elsewhere.example/docs/faq", {}],
  ["https://elsewhere.example/multi-search", { method: "POST" }],
  ["/offline.json", { mode: "cors" }],
  ["/app/assets/frame-12345678.js", { mode: "cors" }],
  ...[
    "/app",
    "/app/acme/events",
    "/console/pages",
    "/auth/passkey",
    "/api/x",
    "/ingest/e",
    "/your-data",
    "/oauth/x",
  ].flatMap((path): [string, Parameters<typeof ask>[1]][] => [
    [path, {}],
    [path, { method: "POST", mode: "cors" }],
  ]),
])("1. not %s %o", (path, options) => {
  expect(ask(path, options)).toBeNull();
});

/** A network that is up, down, or has not answered yet, and a clock that the test advances. */
function start({
  copy = {},
  isStuck = false,
  isBroken = false,
  network,
}: {
  copy?: { [path: string]: string };
  /** The disk does not answer. */
  isStuck?: boolean;
  /** The disk fails. */
  isBroken?: boolean;
  network: () => Promise<Response>;
}) {
  const waits: { milliseconds: number; over: () => void }[] = [];
  const clock = { now: 0 };
  /** Each call ends a wait for the copy. */
  const overdue: (() => void)[] = [];
  const answer = createAnswerer({
    find: async (path) => {
      if (isStuck) return new Promise(() => {});
      if (isBroken) throw new DOMException("Internal error", "UnknownError");
      const text = copy[path];
      return text === undefined
        ? undefined
        : new Response(text, { status: path.includes("404") ? 404 : 200 });
    },
    search: async (body) => (copy["index"] === undefined ? undefined : new Response(`found ${body}`)),
    fetch: network,
    now: () => clock.now,
    wait: (milliseconds) =>
      new Promise((over) => {
        if (milliseconds === COPY_WAIT_MS) overdue.push(over);
        else waits.push({ milliseconds, over });
      }),
  });
  const read = async (path: string, options: { method?: string; body?: string } = {}) => {
    const asked = ask(path, { method: options.method ?? "GET" });
    if (!asked) throw new Error(path);
    const response = await answer(new Request(origin + path, options), asked, onReached);
    return `${response.status} ${await response.text()}`;
  };
  const onReached = vi.fn<() => void>();
  return { read, waits, overdue, clock, onReached };
}

const online = async () => new Response("network");
const offline = async (): Promise<Response> => {
  throw new TypeError("Failed to fetch");
};

test("2. network, and else the copy", async () => {
  const copy = { "/docs": "copy", index: "" };
  const up = start({ copy, network: online });
  expect(await up.read("/docs")).toBe("200 network");
  expect(up.onReached).toHaveBeenCalledOnce();
  expect(await up.read("/multi-search", { method: "POST", body: "x" })).toBe("200 network");

  const down = start({ copy, network: offline });
  expect(await down.read("/docs")).toBe("200 copy");
  expect(await down.read("/multi-search", { method: "POST", body: "x" })).toBe("200 found x");
  expect(down.onReached).not.toHaveBeenCalled();

  for (const [status, expected] of [
    [502, "200 copy"],
    [503, "200 copy"],
    [504, "200 copy"],
    [500, "500 network"],
    [404, "404 network"],
    [429, "429 network"],
  ] as const) {
    const proxy = start({ copy, network: async () => new Response("network", { status }) });
    expect(await proxy.read("/docs")).toBe(expected);
  }
});

test.each([200, 403, 511])("2. a page of a proxy in between, with status %d", async (status) => {
  const headers = { "Content-Type": "text/html" };
  const between = async () => new Response("Sign in to the network", { status, headers });
  const copy = { "/docs": "copy", "/docs.data": "data", "/docs.md": "text", index: "" };
  const { read } = start({ copy, network: between });
  expect(await read("/docs.data")).toBe("200 data");
  expect(await read("/docs.md")).toBe("200 text");
  expect(await read("/multi-search", { method: "POST", body: "x" })).toBe("200 found x");
  // A sign-in page in place of a page is for the reader.
  expect(await read("/docs")).toBe(`${status} Sign in to the network`);
  const without = start({ network: between });
  expect(await without.read("/docs.data")).toBe(`${status} Sign in to the network`);
});

test("2. an answer that was led to another origin", async () => {
  const copy = { "/docs.data": "data", "/docs.md": "text", index: "" };
  const led = (to: string) => async () =>
    Object.defineProperties(new Response("network"), { redirected: { value: true }, url: { value: to } });
  const away = start({ copy, network: led("https://elsewhere.example/docs.md") });
  expect(await away.read("/docs.data")).toBe("200 data");
  expect(await away.read("/docs.md")).toBe("200 text");
  expect(await away.read("/multi-search", { method: "POST", body: "x" })).toBe("200 found x");
  const own = start({ copy, network: led(`${origin}/docs/start.md`) });
  expect(await own.read("/docs.md")).toBe("200 network");
});

test("2. without a copy the network's word stands", async () => {
  const away = start({ network: async () => new Response("busy", { status: 503 }) });
  expect(await away.read("/docs")).toBe("503 busy");
  expect(await away.read("/multi-search", { method: "POST", body: "x" })).toBe("503 busy");
  await expect(start({ network: offline }).read("/docs")).rejects.toThrow("Failed to fetch");
  await expect(start({ network: offline }).read("/docs.md")).rejects.toThrow("Failed to fetch");
});

test("3. a network that is late", async () => {
  let respond: (response: Response) => void = () => {};
  const network = vi.fn<() => Promise<Response>>(() => new Promise((resolve) => (respond = resolve)));
  const { read, waits, clock } = start({ copy: { "/docs": "copy" }, network });
  const first = read("/docs");
  await vi.waitFor(() => expect(waits).toHaveLength(1));
  expect(waits[0]?.milliseconds).toBe(NETWORK_WAIT_MS);
  waits[0]?.over();
  expect(await first).toBe("200 copy");

  clock.now += SLOW_NETWORK_MS - 1;
  const second = read("/docs");
  await vi.waitFor(() => expect(waits).toHaveLength(2));
  expect(waits[1]?.milliseconds).toBe(SLOW_NETWORK_WAIT_MS);
  respond(new Response("network"));
  expect(await second).toBe("200 network");

  void read("/docs");
  await vi.waitFor(() => expect(waits).toHaveLength(3));
  expect(waits[2]?.milliseconds).toBe(NETWORK_WAIT_MS);

  const absent = read("/docs/other");
  await vi.waitFor(() => expect(waits).toHaveLength(4));
  waits[3]?.over();
  await vi.waitFor(() => expect(network).toHaveBeenCalledTimes(4));
  respond(new Response("late"));
  expect(await absent).toBe("200 late");
});

test("4. files, and pages that are missing", async () => {
  const copy = { "/assets/a-12345678.js": "copy", "/docs/404": "no page", "/docs/404.data": "no data" };
  const up = start({ copy, network: online });
  expect(await up.read("/assets/a-12345678.js")).toBe("200 copy");
  expect(await up.read("/assets/b-12345678.js")).toBe("200 network");
  const down = start({ copy, network: offline });
  expect(await down.read("/docs/gone")).toBe("404 no page");
  expect(await down.read("/docs/gone.data")).toBe("404 no data");
  await expect(down.read("/docs/gone.md")).rejects.toThrow("Failed to fetch");
});

test("5. a search in the address", async () => {
  const copy = { "/docs": '<input id="q" name="q" value=""/>' };
  const { read } = start({ copy, network: offline });
  expect(await read("/docs?q=layer+cache")).toBe(
    '200 <input id="q" autofocus name="q" value="layer cache"/>',
  );
  expect(await read(`/docs?q=${encodeURIComponent('"><script>$&')}`)).toBe(
    '200 <input id="q" autofocus name="q" value="&quot;&gt;&lt;script&gt;$&amp;"/>',
  );
  expect(await read("/docs?q=%20")).toBe(`200 ${copy["/docs"]}`);
});

test("6. a page that has moved", async () => {
  const moved = (Location: string) => new Response("", { status: 308, headers: { Location } });
  const copy = new Map([
    ["/docs/old", moved("/docs/new")],
    ["/docs/old.data", moved("/docs/new.data")],
    ["/docs/older", moved("/docs/new#start")],
  ]);
  const answer = createAnswerer({
    find: async (path) => copy.get(path),
    search: async () => undefined,
    fetch: offline,
    now: () => 0,
    wait: () => new Promise(() => {}),
  });
  const locationOf = async (path: string) => {
    const response = await answer(new Request(origin + path), ask(path)!);
    return [response.status, response.headers.get("Location")];
  };
  expect(await locationOf("/docs/old")).toEqual([308, "/docs/new"]);
  expect(await locationOf("/docs/old?q=two+words")).toEqual([308, "/docs/new?q=two+words"]);
  expect(await locationOf("/docs/older?setup=pnpm")).toEqual([308, "/docs/new?setup=pnpm#start"]);
  expect(await locationOf("/docs/old.data?_routes=a")).toEqual([308, "/docs/new.data?_routes=a"]);
});

test("7. a disk that does not answer", async () => {
  for (const [path, network, expected] of [
    ["/assets/a-12345678.js", online, "200 network"],
    ["/docs", async () => new Response("busy", { status: 503 }), "503 busy"],
  ] as const) {
    const { read, overdue } = start({ isStuck: true, network });
    const answered = read(path);
    await vi.waitFor(() => expect(overdue).toHaveLength(1));
    overdue[0]?.();
    expect(await answered).toBe(expected);
  }
});

test("7. a disk that fails", async () => {
  const up = start({ isBroken: true, network: online });
  expect(await up.read("/assets/a-12345678.js")).toBe("200 network");
  const busy = start({ isBroken: true, network: async () => new Response("busy", { status: 503 }) });
  expect(await busy.read("/docs")).toBe("503 busy");
  await expect(start({ isBroken: true, network: offline }).read("/docs")).rejects.toThrow("Failed to fetch");
});
