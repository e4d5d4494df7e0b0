/**
 * A page's social image as SVG, 1200 x 630: the brand, the path to the page, its title, and below them water
 * that converges into five channels. Dimensions are from the design's `og.html`; texts are outlines.
 */
import { MARK_PATHS } from "#ui/mark-paths.ts";
import { fitTitle, type FittedTitle } from "./fit-title.ts";
import { loadTypeface, type Typeface } from "./typeface.ts";

export interface Card {
  /** Shown above the title: "Docs", "Container Builds". */
  trail: string[];
  title: string;
}

export const CARD_SIZE = { width: 1200, height: 630 };

/** The dark theme's colours; an image has one theme. */
export const CARD_COLORS = {
  background: "#071518",
  text: "#edf0f1",
  trail: "#83d1ef",
  separator: "#778689",
  line: "#006682",
  brightLine: "#4fbbe1",
};

const LEFT = 72;
const TITLE_TOP = 208;
const MAX_TITLE_WIDTH = 820;
const LINE_HEIGHT = 1.04;
/** Metrics of the typeface, in em. */
const ASCENT = 0.97;
const DESCENT = 0.25;
/** Space between a line of the title and the water, px. */
const GAP_BELOW = 12;
const GAP_BESIDE = 28;

/** Draws cards for a site of this name. @throws never: the trail replaces a title that no font can draw. */
export function cardDrawer(name: string): (card: Card) => string {
  const bold = loadTypeface(600, -0.03);
  const brand = loadTypeface(600, -0.02);
  const medium = loadTypeface(500);
  const water = waterPaths();
  return (card) => {
    const { trail, title } = drawable(card, name, bold, medium);
    const fitted = fitTitle(title, { measure: bold.width, maxWidth: widthBeside });
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CARD_SIZE.width} ${CARD_SIZE.height}">`,
      `<rect width="100%" height="100%" fill="${CARD_COLORS.background}"/>`,
      water,
      drawBrand(name, brand),
      drawTrail(trail, medium),
      drawTitle(fitted, bold),
      "</svg>",
    ].join("");
  };
}

/** The parts of a card that the fonts can draw. */
function drawable({ trail, title }: Card, name: string, bold: Typeface, medium: Typeface): Card {
  const known = trail.filter((part) => medium.covers(part));
  if (bold.covers(title)) return { trail: known, title };
  return { trail: known.slice(0, -1), title: known.at(-1) ?? (bold.covers(name) ? name : "") };
}

function drawBrand(name: string, typeface: Typeface): string {
  const mark =
    `<path d="${MARK_PATHS.join("")}" ` +
    `transform="translate(72 64) scale(1.3125)" fill="none" stroke="${CARD_COLORS.brightLine}" stroke-width="5"/>`;
  if (!typeface.covers(name)) return mark;
  return `${mark}<path d="${typeface.outline(name, { x: 128, y: 97, size: 34 })}" fill="${CARD_COLORS.text}"/>`;
}

function drawTrail(trail: string[], typeface: Typeface): string {
  const size = 26;
  let x = LEFT;
  return trail
    .flatMap((part, i) => (i === 0 ? [part] : ["/", part]))
    .map((part) => {
      const path = typeface.outline(part, { x, y: 187, size });
      x += typeface.width(part, size) + 14;
      return `<path d="${path}" fill="${part === "/" ? CARD_COLORS.separator : CARD_COLORS.trail}"/>`;
    })
    .join("");
}

function drawTitle({ size, lines }: FittedTitle, typeface: Typeface): string {
  const d = lines.map((line, i) => typeface.outline(line, { x: LEFT, y: baseline(i, size), size })).join("");
  return `<path d="${d}" fill="${CARD_COLORS.text}"/>`;
}

function baseline(line: number, size: number): number {
  return (
    TITLE_TOP +
    (LINE_HEIGHT * size - (ASCENT + DESCENT) * size) / 2 +
    ASCENT * size +
    line * LINE_HEIGHT * size
  );
}

/** Maximum width of a title line that does not touch the water on its right. */
function widthBeside(line: number, size: number): number {
  const bottom = baseline(line, size) + DESCENT * size + GAP_BELOW;
  return Math.min(MAX_TITLE_WIDTH, bankAt(bottom) - GAP_BESIDE - LEFT);
}

/** Five channels of six lines; every fifth line is bright. */
function waterPaths(): string {
  const lines = Array.from({ length: 30 }, (_, n) => ({
    d: `M1210 ${-90 + 24.5 * n}C1010 ${-90 + 24.5 * n} 1010 ${laneOf(n)} 700 ${laneOf(n)}H-10`,
    isBright: n % 5 === 0,
  }));
  const group = (isBright: boolean, color: string, width: number) => {
    const d = lines.filter((line) => line.isBright === isBright).map((line) => line.d);
    return `<path d="${d.join("")}" fill="none" stroke="${color}" stroke-width="${width}"/>`;
  };
  return group(false, CARD_COLORS.line, 1.25) + group(true, CARD_COLORS.brightLine, 1.75);
}

const laneOf = (n: number) => Math.round((430 + 38 * Math.floor(n / 6) + 4.4 * (n % 6)) * 10) / 10;

/** The x of the water's uppermost line at a given height; below the channels' upper edge there is no space for text. */
function bankAt(y: number): number {
  if (y >= 430) return LEFT;
  let [low, high] = [0, 1];
  for (let i = 0; i < 24; i += 1) {
    const middle = (low + high) / 2;
    if (bezierAt(middle, [-90, -90, 430, 430]) < y) low = middle;
    else high = middle;
  }
  return bezierAt(low, [1210, 1010, 1010, 700]);
}

/** A coordinate of a cubic Bézier curve at `t`, from its four points. */
function bezierAt(t: number, [a, b, c, d]: [number, number, number, number]): number {
  return a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t ** 2 * (1 - t) + d * t ** 3;
}
