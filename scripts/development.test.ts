/**
 * `npm run dev`: 1. serves pages of both areas, and files for machines, like a running site; 2. search, and agents at /mcp, get
 * an edited page as soon as it is saved, however the editor saves it; 3. a page with a mistake is reported with its file and line
 * in the terminal and in every page that is opened, and its last good version is still served; 4. problems that the checks find
 * are reported with file, line, rule and fix, and the page is shown; 5. code that cannot run is answered with the reason, until
 * it is fixed;
 * 6. it stops on request, even with open pages; 7. the console requires an owner here too, and the printed link
 * creates one; 8. a new page is a draft, which is shown here and marked; 9. an author's panel gets the page's current state:
 * problems, questions with their places, records, and its rank for words; only for the path of a page.
 */
import { spawn } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createPage } from "./new-page/new-page.ts";
import { copyRepository } from "./steps/copy-repository.ts";

const copy = copyRepository({ withPackages: true });
const file = join(copy, "content/docs/faq.mdx");
const original = readFileSync(file, "utf8");
/** The address behind a proxy. */
const siteOrigin = "https://docs.example.test";
let output = "";
let origin = "";
let server: ReturnType<typeof spawn> | undefined;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "localhost", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

async function search(q: string): Promise<{ url: string }[]> {
  const response = await fetch(`${origin}/multi-search`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ queries: [{ indexUid: "docs", q }] }),
  });
  const { results } = (await response.json()) as { results: { hits: { url: string }[] }[] };
  return results[0]?.hits ?? [];
}

beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  server = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", join(copy, "scripts/dev.ts")], {
    cwd: copy,
    env: {
      ...process.env,
      NODE_ENV: "development",
      PORT: String(port),
      HOST: "localhost",
      SITE_ORIGIN: siteOrigin,
    },
  });
  server.stdout?.on("data", (chunk) => (output += chunk));
  server.stderr?.on("data", (chunk) => (output += chunk));
  await vi.waitUntil(() => output.includes("Millrace is at"), { timeout: 90_000, interval: 100 });
}, 100_000);

afterAll(() => void server?.kill());

test("1. pages of both areas are served, with their style sheet", { timeout: 60_000 }, async () => {
  for (const [path, sheet] of [
    ["/docs/faq", "sheet-docs.css"],
    ["/", "sheet-site.css"],
  ]) {
    const response = await fetch(`${origin}${path}`);
    expect(response.status, output).toBe(200);
    const html = await response.text();
    expect(html).toMatch(/<h1/);
    const href = /<link rel="stylesheet" href="([^"]+sheet[^"]+)"/.exec(html)?.[1];
    expect(href).toContain(sheet);
    const css = await fetch(`${origin}${href}`, { headers: { Accept: "text/css" } });
    expect(css.headers.get("content-type")).toContain("text/css");
    expect(await css.text()).toContain(".site-head");
  }
});

test("7. the console asks for an owner, and the printed link makes one", { timeout: 60_000 }, async () => {
  const key = await vi.waitUntil(() => /\/app\/start\/([\w-]+)/.exec(output)?.[1], { timeout: 20_000 });
  const headers = { "Content-Type": "application/json" };
  expect((await fetch(`${origin}/console/api/overview`)).status).toBe(401);
  const body = JSON.stringify({ organization: "acme", name: "Ada" });
  const signedIn = await fetch(`${origin}/auth/start/${key}`, { method: "POST", headers, body });
  const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  expect(cookie).toMatch(/^__Host-millrace-session=./);
  expect((await fetch(`${origin}/console/api/overview`, { headers: { cookie } })).status).toBe(200);
  expect((await fetch(`${origin}/app/sign-in`)).headers.get("content-type")).toContain("text/html");
});

test("1. a proxy that passes on the site's own host gets pages", async () => {
  const headers = { Host: new URL(siteOrigin).host };
  const status = await new Promise((resolve, reject) => {
    get(`${origin}/docs/faq`, { headers }, (response) => resolve(response.resume().statusCode)).on(
      "error",
      reject,
    );
  });
  expect(status).toBe(200);
});

test("1. files for machines have their types, and a client that prefers Markdown gets it", async () => {
  const typeOf = async (path: string, accept = "*/*") =>
    (await fetch(origin + path, { headers: { Accept: accept } })).headers.get("content-type");
  expect(await typeOf("/docs/faq.md")).toContain("text/markdown");
  expect(await typeOf("/docs/faq", "text/markdown")).toContain("text/markdown");
  expect(await typeOf("/sitemap.xml")).toContain("application/xml");
  // The router's request after code of the home page was edited.
  expect(await typeOf("/_.data")).toContain("text/x-script");
  expect((await fetch(`${origin}/_.data`)).status).toBe(200);
});

/** As an agent reads it. */
async function readOverMcp(page: string): Promise<string> {
  const call = { name: "read_page", arguments: { page } };
  const answer = await fetch(`${origin}/mcp`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
  });
  return answer.text();
}

/** As most editors and git do it: the file is replaced by a new file. */
function replaceFile(text: string) {
  writeFileSync(`${file}~`, text);
  renameSync(`${file}~`, file);
}

test("2. a saved page is found at once, each time", { timeout: 60_000 }, async () => {
  for (const animal of ["quetzalcoatlus", "pteranodon", "ornithocheirus"]) {
    expect(await search(animal)).toEqual([]);
    replaceFile(original.replace(/^## /m, `A ${animal} lives here.\n\n## `));
    const hits = await vi.waitUntil(
      async () => {
        const found = await search(animal);
        return found.length > 0 && found;
      },
      { timeout: 20_000, interval: 50 },
    );
    expect(hits[0]?.url).toContain(`${siteOrigin}/docs/faq`);
    expect(await (await fetch(`${origin}/docs/faq`)).text()).toContain(`A ${animal} lives here.`);
    expect(await readOverMcp(`${siteOrigin}/docs/faq`)).toContain(`A ${animal} lives here.`);
  }
});

test("8. a new page is shown as a draft", { timeout: 30_000 }, async () => {
  const path = "/docs/cache/reference/buck2";
  await createPage(copy, { path, type: "reference", title: "Cache Buck2 builds" });
  await vi.waitUntil(async () => (await fetch(origin + path)).status === 200, {
    timeout: 20_000,
    interval: 50,
  });
  const html = await (await fetch(origin + path)).text();
  expect(html).toContain(">Draft</b>");
  expect(html).toContain(`href="${path}" class="is-matched" aria-current="page"`);
});

/** The answer to an author's panel. */
async function askForAuthor(question: {
  [name: string]: string;
}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${origin}/dev/page?${new URLSearchParams(question)}`);
  return { status: response.status, body: await response.json() };
}

test("9. an author's panel gets what there is about a page", async () => {
  const path = "/docs/cache/overview";
  expect(await askForAuthor({ path })).toMatchObject({
    status: 200,
    body: {
      file: "content/docs/cache/overview.mdx",
      problems: [],
      questions: expect.arrayContaining([
        {
          query: "cache",
          file: "tests/relevance/cache.yaml",
          within: 1,
          place: 1,
          other: null,
          isAnswered: true,
        },
      ]),
      records: expect.arrayContaining([expect.objectContaining({ type: "lvl1", position: 0 })]),
    },
  });
  expect(await askForAuthor({ path, q: "cache" })).toMatchObject({ status: 200, body: { place: 1 } });
  const draft = await askForAuthor({ path: "/docs/cache/reference/buck2" });
  expect(draft).toMatchObject({ status: 200, body: { isDraft: true, questions: [] } });
  for (const wrong of ["", "docs", "/etc/passwd", "/docs/../faq", `/docs${"/a".repeat(200)}`])
    expect((await askForAuthor({ path: wrong })).status).toBe(400);
  expect((await askForAuthor({ path: "/docs/nowhere" })).status).toBe(404);
  expect((await fetch(`${origin}/dev/page?path=${path}`, { method: "POST" })).status).toBe(405);
});

/** Messages to a newly opened page, up to the report of a mistake. */
async function toldMistake(): Promise<string> {
  const client = await (await fetch(`${origin}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1];
  const socket = new WebSocket(`${origin.replace("http", "ws")}/?token=${token}`, "vite-hmr");
  const text = await new Promise<string>((resolve, reject) => {
    socket.addEventListener("message", ({ data }) => {
      if (String(data).includes('"error"')) resolve(String(data));
    });
    socket.addEventListener("error", () => reject(new Error("The development client's socket failed.")));
  });
  socket.close();
  return text;
}

test("3. a mistake is reported, and the last good page is served on", { timeout: 30_000 }, async () => {
  writeFileSync(file, original.replace(/^title:/m, "titel:"));
  await vi.waitUntil(() => /content\/docs\/faq\.mdx:\d+ .*title/.test(output), {
    timeout: 20_000,
    interval: 50,
  });
  expect((await fetch(`${origin}/docs/faq`)).status).toBe(200);
  expect(await toldMistake()).toMatch(/content\/docs\/faq\.mdx:\d+ .*title/);
  expect(await askForAuthor({ path: "/docs/faq" })).toMatchObject({
    body: {
      problems: expect.arrayContaining([
        expect.objectContaining({ severity: "error", message: expect.stringContaining("title") }),
      ]),
    },
  });
});

test("4. findings of the checks are reported, and the page is shown", { timeout: 30_000 }, async () => {
  const text =
    "Obviously a quagga lives here, on [a page](/docs/nowhere).\n\n```bash\nmillrace biuld .\n```\n\n## ";
  writeFileSync(file, original.replace(/^## /m, text));
  for (const finding of [
    /content\/docs\/faq\.mdx:\d+ {2}banned-word .*\n {4}\S/,
    /content\/docs\/faq\.mdx:\d+ {2}dead-link .*\n {4}\S/,
    /content\/docs\/faq\.mdx:\d+ {2}command .*\n {4}millrace build/,
  ])
    await vi.waitUntil(() => finding.test(output), { timeout: 20_000, interval: 50 });
  expect(await (await fetch(`${origin}/docs/faq`)).text()).toContain("a quagga lives here");
  expect(await askForAuthor({ path: "/docs/faq" })).toMatchObject({
    body: {
      problems: expect.arrayContaining([
        expect.objectContaining({ rule: "command", fix: expect.stringContaining("millrace build") }),
      ]),
    },
  });
});

test("3. a mistake in a marketing page is told like one in a page", { timeout: 30_000 }, async () => {
  writeFileSync(file, original);
  const home = join(copy, "content/marketing/home.yaml");
  writeFileSync(home, readFileSync(home, "utf8").replace("  lead:", "  laed:"));
  await vi.waitUntil(() => /content\/marketing\/home\.yaml:\d+ .*hero/.test(output), {
    timeout: 20_000,
    interval: 50,
  });
  expect(await toldMistake()).toContain("content/marketing/home.yaml");
});

test(
  "2, 3. an icon that was just named is drawn, one that there is not is told",
  { timeout: 30_000 },
  async () => {
    const navigation = join(copy, "content/navigation.yaml");
    const tree = readFileSync(navigation, "utf8");
    const sprite = /\/assets\/icons-\w+\.svg/.exec(await (await fetch(`${origin}/docs/faq`)).text())?.[0];
    writeFileSync(navigation, tree.replace("icon: bot", "icon: tractor"));
    expect(await (await fetch(`${origin}${sprite}`)).text()).toContain('id="l-tractor"');
    writeFileSync(navigation, tree.replace("icon: bot", "icon: tractro"));
    await vi.waitUntil(() => /content\/navigation\.yaml:\d+ {2}icon .*Did you mean "tractor"/.test(output), {
      timeout: 20_000,
      interval: 50,
    });
    expect(await (await fetch(`${origin}${sprite}`)).text()).toContain('id="l-menu"');
  },
);

test("5. code that cannot run is answered with the reason, until it can", { timeout: 30_000 }, async () => {
  const code = join(copy, "src/site/docs/doc-bar.tsx");
  const right = readFileSync(code, "utf8");
  const answer = () => fetch(`${origin}/docs/faq`);
  writeFileSync(code, right.replace("return (", "return (("));
  const failed = await vi.waitUntil(
    async () => {
      const response = await answer();
      return response.status === 500 && (await response.text());
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(failed).toContain("doc-bar.tsx");
  expect(failed).toContain("/@vite/client");
  const mended = async () => {
    // Repeatedly: the watcher may merge a save with the one just before it.
    writeFileSync(code, right);
    return (await answer()).ok;
  };
  await vi.waitUntil(mended, { timeout: 20_000, interval: 200 });
});

test("6. it ends when it is told to", { timeout: 30_000 }, async () => {
  const token = /wsToken = "([^"]+)"/.exec(await (await fetch(`${origin}/@vite/client`)).text())?.[1];
  const page = new WebSocket(`${origin.replace("http", "ws")}/?token=${token}`, "vite-hmr");
  await new Promise((resolve) => page.addEventListener("open", resolve));
  const ended = new Promise((resolve) => server?.once("exit", (code, signal) => resolve(code ?? signal)));
  server?.kill("SIGTERM");
  expect(await ended, output).toBe(0);
});
