/**
 * 1. Every documentation page and every marketing page has its own image, and the file exists.
 * 2. A second build draws nothing; a page whose title changes is drawn again.
 * 3. If drawing is not possible, the build continues and no page names its own image.
 */
import { existsSync, mkdtempSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { marketingPaths } from "#site/marketing/paths.ts";
import { buildFolders } from "#server/pages/build-folders.ts";
import { readSocialImages } from "#site/.server/social/social-images.ts";
import { buildImages } from "./images-step.ts";

const navigation = { top: [], sections: [{ name: "Cache", icon: "x", links: [], subSections: [] }] };
const pages = [
  { path: "/docs", title: "Get started" },
  { path: "/docs/cache/overview", title: "How the cache works" },
];

let folders = buildFolders();
let cache = "";

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), "images-"));
  folders = buildFolders(join(folder, "build"));
  cache = join(folder, "cache");
  await writePages(pages);
});

async function writePages(content: typeof pages) {
  await mkdir(folders.content, { recursive: true });
  await writeFile(join(folders.content, "content.json"), JSON.stringify({ pages: content, navigation }));
  await writeFile(join(folders.content, "editions.json"), "[]");
}

const build = () => buildImages(folders, cache);

test("1. each page has an image of its own", async () => {
  const count = marketingPaths.length + 1 + pages.length;
  expect(await build()).toBe(`${count} social images, ${count} of them drawn`);
  const images = await readSocialImages(folders.images);
  expect(Object.keys(images).sort()).toEqual(
    ["/", ...marketingPaths, "/docs", "/docs/cache/overview"].sort(),
  );
  expect(new Set(Object.values(images)).size).toBe(count);
  for (const url of Object.values(images)) {
    expect(url).toMatch(/^\/assets\/og\/[0-9a-f]{8}\.png$/);
    expect((await stat(join(folders.images, "files", url))).size).toBeLessThan(60_000);
  }
});

test("2. only what changed is drawn again", async () => {
  await build();
  const before = await readSocialImages(folders.images);
  expect(await build()).toMatch(/ 0 of them drawn$/);
  await writePages([{ path: "/docs", title: "Start here" }, ...pages.slice(1)]);
  expect(await build()).toMatch(/ 1 of them drawn$/);
  const after = await readSocialImages(folders.images);
  expect(after["/docs"]).not.toBe(before["/docs"]);
  expect({ ...after, "/docs": "" }).toEqual({ ...before, "/docs": "" });
  expect((await readdir(cache)).every((name) => name.endsWith(".png"))).toBe(true);
});

test("3. without the drawing library the pages share one image", async () => {
  vi.doMock("../../src/site/.server/social/rasterize.ts", () => {
    throw new Error("Cannot find module '@resvg/resvg-js-linux-x64-gnu'");
  });
  try {
    expect(await build()).toMatch(/^not drawn, every page names \/og-docs\.png \(.+\)$/);
    expect(await readSocialImages(folders.images)).toEqual({});
    expect(existsSync(join(folders.images, "files"))).toBe(true);
    const shared = await readFile(join(import.meta.dirname, "../../public/og-docs.png"));
    expect(shared.readUInt32BE(16)).toBe(1200);
  } finally {
    vi.doUnmock("../../src/site/.server/social/rasterize.ts");
  }
});
