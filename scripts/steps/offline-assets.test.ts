/**
 * 1. The copy has the files that its pages name, the files that those name, and so on, also files loaded on a click; and the
 *    site's icons.
 * 2. It has nothing else of the build: no other parts of the site, no reporting or asking the server, no compressed forms. The file that
 *    names every route adds none of them.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findAssets } from "./offline-assets.ts";

const FILES: { [path: string]: string } = {
  "assets/boot-00000001.js": "",
  "assets/entry.client-00000002.js": 'import"./docs-00000003.js"',
  "assets/docs-00000003.js":
    'import("./dialog-Ab_-0004.js");import("./posthog-00000005.js");import("./answer-00000012.js");import("./own-00000013.js")',
  "assets/dialog-Ab_-0004.js": "",
  "assets/dialog-Ab_-0004.js.br": "",
  "assets/posthog-00000005.js": "",
  "assets/answer-00000012.js": "",
  "assets/own-00000013.js": "",
  "assets/sheet-docs-00000006.css": "url(/assets/sans-00000007.woff2)",
  "assets/sans-00000007.woff2": "font",
  "assets/manifest-00000008.js": '"/assets/home-00000009.js"',
  "assets/home-00000009.js": "",
  "assets/sheet-site-00000010.css": "",
  "favicon.svg": "<svg/>",
  "og-docs.png": "",
  "robots.txt": "",
};

test("1, 2. what the pages need, and nothing else", async () => {
  const client = mkdtempSync(join(tmpdir(), "offline-assets-"));
  mkdirSync(join(client, "assets"));
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(client, path), text);
  const page = `<script src="/assets/boot-00000001.js"></script><link href="/assets/sheet-docs-00000006.css">
    {"manifest":"/assets/manifest-00000008.js","entry":"/assets/entry.client-00000002.js"} /assets/gone-00000011.js`;
  const found = await findAssets(client, [
    { path: "/docs", type: "text/html; charset=utf-8", body: Buffer.from(page) },
    { path: "/docs.md", type: "text/markdown", body: Buffer.from("/assets/home-00000009.js") },
  ]);
  expect(found.map(({ path }) => path).toSorted()).toEqual([
    "/assets/boot-00000001.js",
    "/assets/dialog-Ab_-0004.js",
    "/assets/docs-00000003.js",
    "/assets/entry.client-00000002.js",
    "/assets/manifest-00000008.js",
    "/assets/sans-00000007.woff2",
    "/assets/sheet-docs-00000006.css",
    "/favicon.svg",
  ]);
  const font = found.find(({ path }) => path.endsWith(".woff2"));
  expect(font).toMatchObject({ type: "font/woff2", body: Buffer.from("font") });
});
