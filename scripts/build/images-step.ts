import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { siteConfig } from "../../site.config.ts";
import { writeDurably } from "../../src/platform/files/durable.ts";
import type { Card } from "../../src/site/social/draw-card.ts";
import { docsCards, marketingCards } from "../../src/site/social/page-cards.ts";
import { readContent } from "./content-step.ts";
import { cacheFolder, replaceFolder, root, type BuildFolders } from "./folders.ts";
import { hashInputs } from "./stamps.ts";
import { UserError } from "./user-error.ts";

/** Page → the address of its social image. */
export type SocialImages = { [path: string]: string };

/** How a card is drawn: the code, and the versions of what it draws with. */
export async function cardVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    dependencies: { [name: string]: string };
  };
  const packages = ["@fontsource/instrument-sans", "@resvg/resvg-js", "fontkit"];
  return hashInputs(["src/site/social"], [siteConfig.name, ...packages.map((name) => manifest.dependencies[name] ?? "")]);
}

/**
 * A social image for each page, kept in `.cache/social` under the hash of what it shows and of how it is drawn: what did
 * not change is not drawn again. Where the drawing library does not run, pages name the image that all share.
 */
export async function buildImages(folders: BuildFolders, origin: string, cache = join(cacheFolder, "social")): Promise<string> {
  const { pages, navigation } = await readContent(folders);
  const marketing = await marketingCards(root).catch((error: Error) => {
    throw new UserError(error.message);
  });
  const cards = [...marketing, ...docsCards(pages, navigation, origin)];
  const version = await cardVersion();
  const named = cards.map(({ path, ...card }) => ({ path, card, name: `${nameOf(card, version)}.png` }));
  await mkdir(cache, { recursive: true });
  const missing = await whereAbsent(named, cache);
  const failure = await drawAll(missing, cache).catch((error: unknown) => String(error));
  await replaceFolder(folders.images, async (next) => {
    const assets = join(next, "files/assets/og");
    await mkdir(assets, { recursive: true });
    if (!failure) await Promise.all(named.map(({ name }) => copyFile(join(cache, name), join(assets, name))));
    const images: SocialImages = Object.fromEntries(named.map(({ path, name }) => [path, `/assets/og/${name}`]));
    await writeFile(join(next, "images.json"), JSON.stringify(failure ? {} : images));
  });
  if (failure) return `not drawn, every page names /og-docs.png (${failure})`;
  return `${cards.length} social images, ${missing.length} of them drawn`;
}

/** The addresses that the last build gave; empty where none could be drawn. */
export async function readImages(folders: BuildFolders): Promise<SocialImages> {
  return JSON.parse(await readFile(join(folders.images, "images.json"), "utf8")) as SocialImages;
}

interface NamedCard {
  card: Card;
  /** The file's name. */
  name: string;
}

const nameOf = (card: Card, version: string) =>
  createHash("sha256").update(JSON.stringify([version, card.trail, card.title])).digest("hex").slice(0, 8);

async function whereAbsent<Named extends NamedCard>(named: Named[], cache: string): Promise<Named[]> {
  const isThere = await Promise.all(
    named.map(({ name }) => stat(join(cache, name)).then(({ size }) => size > 0, () => false)),
  );
  return named.filter((_, i) => !isThere[i]);
}

/** @returns undefined, or throws when the drawing library cannot be loaded or fails. */
async function drawAll(cards: NamedCard[], cache: string): Promise<undefined> {
  if (cards.length === 0) return;
  const [{ cardDrawer }, { rasterizeCard }] = await Promise.all([
    import("../../src/site/social/draw-card.ts"),
    import("../../src/site/social/rasterize.ts"),
  ]);
  const draw = cardDrawer(siteConfig.name);
  const queue = cards.values();
  // Lines are laid out here; pixels and compression are the thread pool's.
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const { card, name } of queue) await writeDurably(join(cache, name), await rasterizeCard(draw(card)), 0o666);
    }),
  );
}
