/**
 * 1. A signed-in reader's page has the answers to its screen's questions, asked with the page's own cookie, names its
 *    screen's files, and does not ask again for what it has.
 * 2. No answer can end its block or the page, and each one is read back unchanged.
 * 3. Everyone else gets the page as it was built: readers without a session, images, HEAD, a server that fails or is slow to know.
 * 4. The head is sent before the answers; a slow answer is left out and its question ended.
 * 5. Long lists and large answers are left out, and the number of questions has a limit.
 * 6. Cookies that come with the session reach the browser; every encoding has the same content.
 */
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { staticFile, type StaticFiles } from "#platform/http/static-files.ts";
import { createAppPage } from "./app-page.ts";
import { createFramePage } from "./frame-page.ts";
import { MAX_PAGES_OF_LIST, MAX_QUESTIONS } from "./limits.ts";

const BUILT = `<head><!-- without-answers --><script>ask()</script><!-- /without-answers --></head><body><div id="frame"></div></body>`;
const files: StaticFiles = new Map([
  ["/frame", staticFile("frame.html", Buffer.from(BUILT))],
  [
    "/screens.json",
    staticFile(
      "screens.json",
      Buffer.from(JSON.stringify({ "/settings/tokens": ["assets/tokens-1.js", "assets/settings-1.css"] })),
    ),
  ],
]);
const STATE = {
  user: { id: "usr_ada", name: "ada", organizations: [{ id: "org_1", name: "acme", role: "owner" }] },
};
const TOKENS = { tokens: [{ id: "tok_1", name: "laptop" }], next_page_token: "" };
const NOTHING = {
  projects: [],
  builds: [],
  caches: [],
  exchanges: [],
  members: [],
  events: [],
  days: [],
  next_page_token: "",
};
const OPENED = { cookie: "theme=dark; millrace-session=secret", "sec-fetch-dest": "document" };

type Answer = (address: string, request: Request) => unknown;

const usual: Answer = (address) =>
  address === "/auth/state" ? STATE : address.endsWith("TokenService/List") ? TOKENS : NOTHING;

/** @returns the server's page, and the requests that it caused */
function serve(answer: Answer = usual) {
  const asked: Request[] = [];
  const answerFrame = createFramePage(files, () => async (request) => {
    asked.push(request);
    const body = await answer(new URL(request.url).pathname, request);
    return body instanceof Response ? body : Response.json(body);
  });
  const app = new Hono().route("/", createAppPage(files, answerFrame));
  const get = (path: string, init: RequestInit = {}) =>
    app.request(`http://millrace.example${path}`, { headers: OPENED, ...init });
  return { asked, get };
}

/** The answers that the browser finds in the page, by the first part of the key. */
function answersIn(page: string): Map<string, unknown> {
  const text = /<script type="application\/json" id="first-answers">([^<]*)<\/script><\/body>$/.exec(
    page,
  )?.[1];
  const answers = JSON.parse(text ?? "null") as [[string], unknown][];
  return new Map(answers.map(([[noun], data]) => [noun, data]));
}

const TOKENS_PAGE = "/app/acme/settings/tokens";

test("1. with answers", async () => {
  const { asked, get } = serve();
  const answer = await get(TOKENS_PAGE);
  const page = await answer.text();
  expect(Object.fromEntries(answersIn(page))).toEqual({
    organizations: STATE,
    tokens: TOKENS.tokens,
    projects: [],
    builds: [],
  });
  expect(page).toContain(
    '<link rel="modulepreload" crossorigin fetchpriority="low" href="/app/assets/tokens-1.js">',
  );
  expect(page).toContain('<link rel="stylesheet" crossorigin href="/app/assets/settings-1.css"></head>');
  expect(page).not.toContain("ask()");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  expect(answer.headers.get("x-robots-tag")).toBe("noindex");
  expect(asked).toHaveLength(4);
  for (const { headers } of asked) {
    expect(headers.get("cookie")).toBe(OPENED.cookie);
    expect(headers.get("authorization")).toBeNull();
  }
});

test("1. what the first answers lead to", async () => {
  const web = { id: "prj_1", name: "web" };
  const { get } = serve((address, request) =>
    address.endsWith("ProjectService/List") ? { ...NOTHING, projects: [web] } : usual(address, request),
  );
  const found = answersIn(await (await get("/app/acme/projects/web")).text());
  expect([...found.keys()].toSorted()).toEqual([
    "builds",
    "exchanges",
    "organizations",
    "projects",
    "tokens",
    "usage",
  ]);
});

test("1. where the browser knows more, and beside the application's addresses, only who is here", async () => {
  for (const path of ["/app", "/app/", "/app/other/settings/tokens", "/app/%ff", "/app/__proto__/usage"])
    expect([...answersIn(await (await serve().get(path)).text()).keys()]).toEqual(["organizations"]);
});

test("2. hostile names", async () => {
  const names = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "</script><script>alert(1)</script>",
      "<!--<script>",
      "]]>",
      "\u2028",
      "$& $1 $`",
      "</body>",
    ),
  );
  await fc.assert(
    fc.asyncProperty(names, names, async (name, id) => {
      const tokens = [{ id, name, [name]: id }];
      const { get } = serve((address, request) =>
        address.endsWith("TokenService/List") ? { ...TOKENS, tokens } : usual(address, request),
      );
      const page = await (await get(TOKENS_PAGE)).text();
      const sent = JSON.parse(JSON.stringify(tokens)) as unknown;
      // Text that UTF-8 cannot represent is lost on every way to a browser.
      if ((name + id).isWellFormed()) expect(answersIn(page).get("tokens")).toEqual(sent);
      expect(page.match(/<\/?script|<\/body>|<!--/g)).toEqual(["<script", "</script", "</body>"]);
    }),
    { numRuns: 30 },
  );
});

const NOBODY: Answer = (address) =>
  address === "/auth/state" ? { user: null } : { code: "unauthenticated" };

test.each<[string, Answer, RequestInit]>([
  ["nobody", NOBODY, {}],
  ["a server that fails", () => Response.json({ code: "unavailable" }, { status: 503 }), {}],
  ["too many questions", () => Response.json({}, { status: 429 }), {}],
  ["a picture", usual, { headers: { ...OPENED, "sec-fetch-dest": "image" } }],
  ["a browser that does not say", usual, { headers: { cookie: OPENED.cookie } }],
  ["no cookie", usual, { headers: { "sec-fetch-dest": "document" } }],
  ["a token", usual, { headers: { "sec-fetch-dest": "document", authorization: "Bearer mr_user_x" } }],
  ["a server that does not know in time", () => new Promise(() => {}), {}],
])("3. %s", async (_, answer, init) => {
  expect(await (await serve(answer).get(TOKENS_PAGE, init)).text()).toBe(BUILT);
});

test("3. HEAD", async () => {
  const { asked, get } = serve();
  expect((await get(TOKENS_PAGE, { method: "HEAD" })).status).toBe(200);
  expect(asked).toEqual([]);
});

test("4. a slow answer", async () => {
  const slow: AbortSignal[] = [];
  const { get } = serve((address, request) => {
    if (!address.endsWith("TokenService/List")) return usual(address, request);
    slow.push(request.signal);
    return new Promise(() => {});
  });
  const { body } = await get(TOKENS_PAGE);
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value: head = "" } = await reader.read();
  expect(head).toContain("tokens-1.js");
  expect(slow.map(({ aborted }) => aborted)).toEqual([false]);
  let page = head;
  for (let part = await reader.read(); !part.done; part = await reader.read()) page += part.value;
  expect([...answersIn(page).keys()]).toEqual(["organizations", "projects", "builds"]);
  expect(slow.map(({ aborted }) => aborted)).toEqual([true]);
});

test("5. long lists and large answers", async () => {
  const endless = serve((address, request) =>
    address.endsWith("TokenService/List") ? { ...TOKENS, next_page_token: "more" } : usual(address, request),
  );
  expect(answersIn(await (await endless.get(TOKENS_PAGE)).text()).has("tokens")).toBe(false);
  const lists = endless.asked.filter(({ url }) => url.endsWith("TokenService/List"));
  expect(lists).toHaveLength(MAX_PAGES_OF_LIST);
  expect((await endless.get("/app/acme")).status).toBe(200);
  expect(endless.asked.length).toBeLessThan(2 * MAX_QUESTIONS);

  const large = serve((address, request) =>
    address.endsWith("TokenService/List")
      ? { ...TOKENS, tokens: [{ name: "x".repeat(200_000) }] }
      : usual(address, request),
  );
  const page = await (await large.get(TOKENS_PAGE)).text();
  expect([...answersIn(page).keys()]).toEqual(["organizations", "projects", "builds"]);
});

test("6. cookies and packing", async () => {
  const prolonged = () =>
    Response.json(STATE, { headers: { "set-cookie": "millrace-session=secret; Max-Age=9" } });
  const { get } = serve((address, request) =>
    address === "/auth/state" ? prolonged() : usual(address, request),
  );
  const plain = await get(TOKENS_PAGE);
  expect(plain.headers.getSetCookie()).toEqual(["millrace-session=secret; Max-Age=9"]);
  const page = await plain.text();
  for (const [encoding, unpack] of [
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const packed = await get(TOKENS_PAGE, { headers: { ...OPENED, "accept-encoding": encoding } });
    expect(packed.headers.get("content-encoding")).toBe(encoding);
    expect(unpack(Buffer.from(await packed.arrayBuffer())).toString()).toBe(page);
  }
});
