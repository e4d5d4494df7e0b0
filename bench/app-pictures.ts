/**
 * Takes the pictures of the app that the home page shows, in both themes, for large and for small screens: a server over the
 * build of `npm run build`, with the records of the designs' company in it.
 *
 *   npm run build && npm run node bench/app-pictures.ts
 *
 * The browser writes WebP, so no further tool is needed.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { findBrowsers } from "../scripts/checks/browser.ts";
import { openServer } from "../tests/e2e/console-server.ts";
import { ACME, acmeRecords, cookieOf, PROJECTS } from "../tests/fixtures/acme-records.ts";
import { buildRecords } from "../tests/fixtures/build-records.ts";
import { replaceRecords } from "../tests/fixtures/replace-records.ts";

const FOLDER = "src/site/marketing/images";
/** Sharp on screens with two device pixels for each of CSS. */
const SCALE = 2;
const QUALITY = 0.8;

/** A part of the screen: the home page draws a frame around it. */
interface Picture {
  name: string;
  path: string;
  /** The screen's width. */
  width: number;
  /** The picture begins at the first element and ends with the second; by default it begins at the screen's corner. */
  from?: string;
  to: string;
  /** Pixels around the elements; less than none leaves their own border out. */
  around: number;
}

const TIMELINE = "[aria-label='Steps of the build on a time axis']";
const BUILD = "builds/bld_m4c7wq2x9e";
const FIRST_TAG = "main table tbody tr:first-child";
const SIXTH_TAG = "main table tbody tr:nth-child(6)";
const REQUESTS = "main section >> nth=0";
const PICTURES: readonly Picture[] = [
  { name: "build", path: BUILD, width: 1280, to: TIMELINE, around: 14 },
  { name: "build-phone", path: BUILD, width: 390, from: TIMELINE, to: TIMELINE, around: -1 },
  { name: "images", path: "images", width: 500, from: FIRST_TAG, to: SIXTH_TAG, around: -1 },
  { name: "images-phone", path: "images", width: 390, from: FIRST_TAG, to: SIXTH_TAG, around: -1 },
  { name: "cache", path: "cache", width: 620, from: REQUESTS, to: REQUESTS, around: 16 },
  { name: "cache-phone", path: "cache", width: 360, from: REQUESTS, to: REQUESTS, around: 16 },
];

const sizes: { [name: string]: { width: number; height: number } } = {};
const server = await openServer({ BUILD_DIR: "build" });
const browser = await chromium.launch({ executablePath: findBrowsers().whole, args: ["--no-sandbox"] });
try {
  const now = Date.now();
  const builds = buildRecords({ now, organizationId: ACME.id, projects: PROJECTS });
  replaceRecords(join(server.dataDir, "millrace.db"), { ...acmeRecords(now, server.origin), ...builds });
  for (const picture of PICTURES)
    for (const theme of ["light", "dark"] as const) await take(browser, picture, theme);
  writeFileSync(join(FOLDER, "app-pictures.json"), `${JSON.stringify(sizes, null, 2)}\n`);
} finally {
  await browser.close();
  await server.close();
}

async function take(browser: Browser, picture: Picture, theme: "light" | "dark"): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: picture.width, height: 900 },
    deviceScaleFactor: SCALE,
    colorScheme: theme,
    reducedMotion: "reduce",
    timezoneId: "UTC",
  });
  await context.addCookies([{ name: "millrace-session", value: cookieOf("ada"), url: server.origin }]);
  const page = await context.newPage();
  await page.goto(`${server.origin}/app/${ACME.name}/${picture.path}`, { waitUntil: "networkidle" });
  await page.evaluate(() => document.fonts.ready);
  const clip = await clipOf(page, picture);
  // As high as the picture, so that what sticks to the screen's lower edge is in it.
  await page.setViewportSize({ width: picture.width, height: Math.max(clip.y + clip.height, 600) });
  const png = await page.screenshot({ clip });
  const webp = await toWebp(page, png.toString("base64"));
  writeFileSync(join(FOLDER, `${picture.name}-${theme}.webp`), webp);
  console.log(`${picture.name}-${theme}: ${clip.width} × ${clip.height}, ${webp.length} bytes`);
  sizes[picture.name] = { width: clip.width, height: clip.height };
  await context.close();
}

async function clipOf(page: Page, { from, to, around, width }: Picture) {
  const end = await page.locator(to).boundingBox();
  if (!end) throw new Error(`${page.url()} has nothing like ${to}.`);
  const bottom = Math.ceil(end.y + end.height) + around;
  if (from === undefined) return { x: 0, y: 0, width, height: bottom };
  const { x, y } = (await page.locator(from).boundingBox()) ?? end;
  const right = end.x + end.width + around;
  return { x: x - around, y: y - around, width: right - x + around, height: bottom - y + around };
}

async function toWebp(page: Page, png: string): Promise<Buffer> {
  await page.goto("about:blank");
  const url = await page.evaluate(
    async ({ png, quality }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", quality);
    },
    { png, quality: QUALITY },
  );
  return Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
}
