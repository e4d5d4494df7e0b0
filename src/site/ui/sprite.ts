/**
 * The icon sprite: one SVG file of `<symbol>`s that pages reference as `<use href="…#l-copy">`. `l-` names
 * are Lucide's (drawn as lines), `s-` names are brand marks from Simple Icons (filled). Runs in Node, when
 * the site is built.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const lucideIcons = (
  "archive arrow-left arrow-right bot braces check chevron-down chevron-right circle-help cloud-alert cloud-cog container " +
  "copy corner-down-left cpu database-zap file-code file-text hash info layers lightbulb list loader-circle menu " +
  "message-circle moon octagon-alert panel-left pencil rocket rotate-cw search sliders-horizontal square-terminal sun thumbs-down thumbs-up " +
  "triangle-alert workflow x"
).split(" ");

const BRAND_ICONS = ["bluesky", "claude", "cursor", "discord", "github", "mastodon", "x", "youtube"];

const resolvePackage = createRequire(import.meta.url).resolve;

/**
 * @param contentIcons Lucide names that authors use in content (`<Card icon="…">`); may repeat.
 * @returns the sprite file's text; symbols in alphabetical order, so that equal sets give equal files.
 * @throws Error with the name of an icon that Lucide does not have.
 */
export function buildSprite(contentIcons: Iterable<string> = []): string {
  const lines = [...new Set([...lucideIcons, ...contentIcons])].sort().map(lucideSymbol);
  return spriteOf([...lines, ...BRAND_ICONS.map(brandSymbol)]);
}

/**
 * The brand marks of the marketing pages, in a separate file that keeps the sprite of every page small.
 * @throws Error with the name of a mark that Simple Icons does not have.
 */
export function buildMarks(brands: Iterable<string>): string {
  return spriteOf([...new Set(brands)].sort().map(brandSymbol));
}

const spriteOf = (symbols: string[]) =>
  `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join("\n")}\n</svg>\n`;

const lucideFolder = join(dirname(resolvePackage("lucide-static/package.json")), "icons");
const brandFolder = dirname(resolvePackage("simple-icons/icons/github.svg"));

const namesIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".svg"))
    .map((file) => file.slice(0, -".svg".length));

const isIn = (folder: string) => (name: string) => existsSync(join(folder, `${name}.svg`));

export const hasIcon = isIn(lucideFolder);
export const hasBrand = isIn(brandFolder);

/** All names in Lucide. */
export const iconNames = () => namesIn(lucideFolder);
/** All names in Simple Icons. */
export const brandNames = () => namesIn(brandFolder);

function lucideSymbol(name: string): string {
  const file = join(lucideFolder, `${name}.svg`);
  if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file))
    throw new Error(
      `There is no Lucide icon named "${name}". The names are listed at https://lucide.dev/icons.`,
    );
  const stroke =
    'fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"';
  return symbol(`l-${name}`, stroke, readFileSync(file, "utf8"));
}

function brandSymbol(name: string): string {
  const file = join(brandFolder, `${name}.svg`);
  if (!/^[a-z0-9]+$/.test(name) || !existsSync(file))
    throw new Error(`There is no mark named "${name}". The names are those of https://simpleicons.org.`);
  return symbol(`s-${name}`, 'fill="currentColor"', readFileSync(file, "utf8"));
}

/** The shapes of an icon's file without its frame, comment, title and line breaks. */
function symbol(id: string, paint: string, svg: string): string {
  const shapes = svg
    .slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"))
    .replace(/<title>.*?<\/title>/s, "")
    .replace(/\s*\n\s*/g, "")
    .replaceAll(" />", "/>");
  return `<symbol id="${id}" viewBox="0 0 24 24" ${paint}>${shapes}</symbol>`;
}
