/**
 * Pixels → an indexed PNG (https://www.w3.org/TR/png-3/): 8 bits a pixel, a palette of at most 256 colours,
 * no filters. A drawing of a few flat colours shows no visible loss and is a fifth of the true-colour file.
 */
import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

export type Color = readonly [red: number, green: number, blue: number];

export interface Pixels {
  /** RGBA, row after row; transparent pixels count as opaque. */
  data: Uint8Array;
  width: number;
  height: number;
}

const compress = promisify(deflate);

/** The background and equal steps from it to each other colour: the colours that antialiasing produces. */
export function blendPalette(background: string, colors: string[]): Color[] {
  const from = parseColor(background);
  const perColor = Math.floor(255 / colors.length);
  const blends = colors.map(parseColor).flatMap((to) =>
    Array.from({ length: perColor }, (_, i): Color => {
      const part = (i + 1) / perColor;
      const mix = (a: number, b: number) => Math.round(a + (b - a) * part);
      return [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])];
    }),
  );
  return [from, ...blends];
}

export async function encodeIndexedPng({ data, width, height }: Pixels, palette: Color[]): Promise<Buffer> {
  const nearest = nearestIndex(palette);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  // Each row starts with the number of its filter: 0, none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      rows[y * (width + 1) + 1 + x] = nearest(view.getUint32((y * width + x) * 4) >>> 8);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flat())),
    chunk("IDAT", await compress(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** 0xRRGGBB → index of the nearest palette entry; distinct colours are few, so each is searched once. */
function nearestIndex(palette: Color[]): (rgb: number) => number {
  const known = new Map<number, number>();
  let last = { rgb: -1, index: 0 };
  return (rgb) => {
    // Most pixels are like their neighbour.
    if (rgb === last.rgb) return last.index;
    last = { rgb, index: known.get(rgb) ?? find(rgb) };
    return last.index;
  };

  function find(rgb: number): number {
    const distances = palette.map(
      ([red, green, blue]) =>
        ((rgb >> 16) - red) ** 2 + (((rgb >> 8) & 255) - green) ** 2 + ((rgb & 255) - blue) ** 2,
    );
    const index = distances.indexOf(Math.min(...distances));
    known.set(rgb, index);
    return index;
  }
}

function parseColor(hex: string): Color {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
