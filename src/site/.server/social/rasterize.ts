import { renderAsync } from "@resvg/resvg-js";
import { CARD_COLORS, CARD_SIZE } from "./draw-card.ts";
import { blendPalette, encodeIndexedPng } from "./indexed-png.ts";

const { background, ...others } = CARD_COLORS;
const palette = blendPalette(background, Object.values(others));

/** A card's SVG as PNG. Drawing and compressing run on the thread pool. */
export async function rasterizeCard(svg: string): Promise<Buffer> {
  const image = await renderAsync(svg, {
    // Texts are outlines: searching for system fonts would only take time.
    font: { loadSystemFonts: false },
    fitTo: { mode: "width", value: CARD_SIZE.width },
    logLevel: "off",
  });
  return encodeIndexedPng({ data: image.pixels, width: image.width, height: image.height }, palette);
}
