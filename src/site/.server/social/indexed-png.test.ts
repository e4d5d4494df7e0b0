/**
 * 1. Encoded pixels decode to the palette's nearest colours; header, palette, rows and checksums follow the
 *    format.
 * 2. A palette starts with the background, holds every colour itself, and has at most 256 entries.
 * 3. A card is a PNG of 1200 x 630 below 60 KB.
 */
import { array, assert, asyncProperty, constantFrom, integer } from "fast-check";
import { crc32, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { CARD_COLORS, cardDrawer } from "./draw-card.ts";
import { blendPalette, encodeIndexedPng, type Color } from "./indexed-png.ts";
import { rasterizeCard } from "./rasterize.ts";

/** The chunks of a PNG; fails on a wrong checksum. */
function chunksOf(png: Buffer) {
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const body = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
    chunks.set(body.toString("latin1", 0, 4), body.subarray(4));
    at += 12 + length;
  }
  return chunks;
}

const bytes = (png: Map<string, Buffer>, name: string) => png.get(name) ?? Buffer.alloc(0);

describe("encodeIndexedPng", () => {
  it("(1) gives back the pixels", async () => {
    const palette: Color[] = [[7, 21, 24], [255, 255, 255], [79, 187, 225]]; // prettier-ignore
    const pixel = constantFrom(...palette.keys());
    await assert(
      asyncProperty(
        integer({ min: 1, max: 9 }),
        array(pixel, { minLength: 9, maxLength: 90 }),
        async (width, pixels) => {
          const height = Math.floor(pixels.length / width);
          const data = Uint8Array.from(
            pixels.slice(0, width * height).flatMap((i) => [...(palette[i] ?? []), 255]),
          );
          const png = chunksOf(await encodeIndexedPng({ data, width, height }, palette));
          const header = bytes(png, "IHDR");
          expect([header.readUInt32BE(0), header.readUInt32BE(4), header[8], header[9]]).toEqual([
            width,
            height,
            8,
            3,
          ]);
          expect([...bytes(png, "PLTE")]).toEqual(palette.flat());
          const rows = inflateSync(bytes(png, "IDAT"));
          const decoded = Array.from({ length: height }, (_, y) => {
            expect(rows[y * (width + 1)]).toBe(0);
            return [...rows.subarray(y * (width + 1) + 1, (y + 1) * (width + 1))];
          });
          expect(decoded.flat()).toEqual(pixels.slice(0, width * height));
        },
      ),
    );
  });

  it("(1) takes the nearest colour of the palette", async () => {
    const data = Uint8Array.from([250, 250, 251, 255, 9, 20, 22, 255]);
    const png = await encodeIndexedPng({ data, width: 2, height: 1 }, [[7, 21, 24], [255, 255, 255]]); // prettier-ignore
    expect([...inflateSync(bytes(chunksOf(png), "IDAT"))]).toEqual([0, 1, 0]);
  });
});

it("(2) a palette holds the background first and every colour", () => {
  const { background, ...others } = CARD_COLORS;
  const palette = blendPalette(background, Object.values(others));
  expect(palette[0]).toEqual([7, 21, 24]);
  expect(palette.length).toBeLessThanOrEqual(256);
  for (const color of Object.values(others)) {
    const value = Number.parseInt(color.slice(1), 16);
    expect(palette).toContainEqual([value >> 16, (value >> 8) & 255, value & 255]);
  }
});

it("(3) a card is a small PNG of the size that previews ask for", async () => {
  const svg = cardDrawer("Millrace")({
    trail: ["Docs", "Container Builds"],
    title: "Write optimal Dockerfiles that cache well",
  });
  const png = await rasterizeCard(svg);
  const header = bytes(chunksOf(png), "IHDR");
  expect([header.readUInt32BE(0), header.readUInt32BE(4)]).toEqual([1200, 630]);
  expect(png.length).toBeLessThan(60_000);
});
