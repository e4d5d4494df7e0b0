import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { siteConfig } from "#config";
import { writeDurably } from "#platform/files/durable.ts";
import type { Card } from "#site/.server/social/draw-card.ts";
import { type SocialImages, writeSocialImages } from "#site/.server/social/social-images.ts";
import { readContent, readEditions } from "#docs/content/built-content.ts";
import { formatProblem } from "#docs/content/problem.ts";
import { readMarketingFolder } from "#site/marketing/.server/marketing-folder.ts";
import type { Marketing } from "#site/marketing/.server/read-marketing.ts";
import { docsCards, marketingCards } from "#site/.server/social/page-cards.ts";
import { cacheFolder, root, type BuildFolders } from "#server/pages/build-folders.ts";
import { replaceFolder } from "./replace-folder.ts";
import { readSourceFiles } from "../imports/source-files.ts";
import { UserError } from "#platform/environment/user-error.ts";

/** Identifies how a card is drawn: the code, and the packages that it draws with. */
export async function cardVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    dependencies: { [name: string]: string };
  };
  const packages = ["@fontsource/instrument-sans", "@resvg/resvg-js", "fontkit"];
  const hash = createHash("sha256").update(siteConfig.name);
  for (const name of packages) hash.update(`${name}@${manifest.dependencies[name]}\0`);
  for (const file of readSourceFiles().reachable([
    "src/site/.server/social/draw-card.ts",
    "src/site/.server/social/rasterize.ts",
  ]))
    hash.update(await readFile(join(root, file)));
  return hash.digest("hex");
}

/**
 * A social image for each page, kept in `.cache/social` under the hash of its content and of how it is drawn: unchanged images
 * are not drawn again. If the drawing library does not run, pages share one image.
 */
export async function buildImages(
  folders: BuildFolders,
  cache = join(cacheFolder, "social"),
): Promise<string> {
  const { pages, navigation } = await readContent(folders.content);
  const translations = (await readEditions(folders.content)).filter(({ version }) => version === null);
  const cards = [
    ...marketingCards(readMarketingPages()),
    ...docsCards(pages, navigation),
    ...translations.flatMap((edition) => docsCards(edition.pages, edition.navigation)),
  ];
  const version = await cardVersion();
  const named = cards.map(({ path, ...card }) => ({ path, card, name: `${nameOf(card, version)}.png` }));
  await mkdir(cache, { recursive: true });
  const missing = await whereAbsent(named, cache);
  const failure = await drawAll(missing, cache).catch((error: unknown) => String(error));
  await replaceFolder(folders.images, async (next) => {
    const assets = join(next, "files/assets/og");
    await mkdir(assets, { recursive: true });
    if (!failure) await Promise.all(named.map(({ name }) => copyFile(join(cache, name), join(assets, name))));
    const images: SocialImages = Object.fromEntries(
      named.map(({ path, name }) => [path, `/assets/og/${name}`]),
    );
    await writeSocialImages(next, failure ? {} : images);
  });
  if (failure) return `not drawn, every page names /og-docs.png (${failure})`;
  return `${cards.length} social images, ${missing.length} of them drawn`;
}

/** Already checked by the content step: a problem here is a change made meanwhile. */
function readMarketingPages(): Marketing {
  const { marketing, problems } = readMarketingFolder(root);
  if (marketing) return marketing;
  throw new UserError(problems.map(formatProblem).join("\n\n"));
}

interface NamedCard {
  card: Card;
  /** The file name. */
  name: string;
}

const nameOf = (card: Card, version: string) =>
  createHash("sha256")
    .update(JSON.stringify([version, card.trail, card.title]))
    .digest("hex")
    .slice(0, 8);

async function whereAbsent<Named extends NamedCard>(named: Named[], cache: string): Promise<Named[]> {
  const isThere = await Promise.all(
    named.map(({ name }) =>
      stat(join(cache, name)).then(
        ({ size }) => size > 0,
        () => false,
      ),
    ),
  );
  return named.filter((_, i) => !isThere[i]);
}

/** @returns undefined, or throws when the drawing library cannot be loaded or fails. */
async function drawAll(cards: NamedCard[], cache: string): Promise<undefined> {
  if (cards.length === 0) return;
  const [{ cardDrawer }, { rasterizeCard }] = await Promise.all([
    import("#site/.server/social/draw-card.ts"),
    import("#site/.server/social/rasterize.ts"),
  ]);
  const draw = cardDrawer(siteConfig.name);
  const queue = cards.values();
  // This thread lays out lines; the thread pool draws pixels and compresses.
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const { card, name } of queue)
        await writeDurably(join(cache, name), await rasterizeCard(draw(card)), 0o666);
    }),
  );
}
