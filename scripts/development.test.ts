/**
 * `npm run dev`: 1. serves pages of both areas; 2. search answers from an edited page as soon as it is saved; 3. a page with a mistake
 * is reported with its file and line, and the last good one is served on; 4. what the checks find is reported with file,
 * line, rule and fix, and the page is shown.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { copyRepository } from "./build/copy-repository.ts";

const copy = copyRepository({ withPackages: true });
const file = join(copy, "content/docs/faq.mdx");
const original = readFileSync(file, "utf8");
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
    env: { ...process.env, NODE_ENV: "development", PORT: String(port), HOST: "localhost", SITE_ORIGIN: "" },
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

test("2. a saved page is found at once", { timeout: 30_000 }, async () => {
  expect(await search("quetzalcoatlus")).toEqual([]);
  writeFileSync(file, original.replace(/^## /m, "A quetzalcoatlus lives here.\n\n## "));
  const hits = await vi.waitUntil(
    async () => {
      const found = await search("quetzalcoatlus");
      return found.length > 0 && found;
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(hits[0]?.url).toContain(`${origin}/docs/faq`);
  expect(await (await fetch(`${origin}/docs/faq`)).text()).toContain("A quetzalcoatlus lives here.");
});

test("3. a mistake is reported, and the last good page is served on", { timeout: 30_000 }, async () => {
  writeFileSync(file, original.replace(/^title:/m, "titel:"));
  await vi.waitUntil(() => /content\/docs\/faq\.mdx:\d+ .*title/.test(output), {
    timeout: 20_000,
    interval: 50,
  });
  expect((await fetch(`${origin}/docs/faq`)).status).toBe(200);
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
});
