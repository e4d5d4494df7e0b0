import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Size in pixels of an SVG or PNG of the site (`/images/x.svg` is `public/images/x.svg`); null if it is unknown. */
export function imageSize(root: string, src: string): { width: number; height: number } | null {
  if (!/^\/[\w./-]+\.(svg|png)$/.test(src) || src.includes("..")) return null;
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(root, "public", src));
  } catch {
    return null;
  }
  return src.endsWith(".png") ? pngSize(bytes) : svgSize(bytes.toString("utf8"));
}

/** Width and height are the first fields of the first chunk. */
function pngSize(bytes: Buffer): { width: number; height: number } | null {
  return bytes.length < 24 ? null : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function svgSize(source: string): { width: number; height: number } | null {
  const tag = /<svg[^>]*>/.exec(source)?.[0] ?? "";
  const box = /viewBox="[\d.-]+[\s,]+[\d.-]+[\s,]+([\d.]+)[\s,]+([\d.]+)"/.exec(tag);
  const width = Number(/\swidth="([\d.]+)(?:px)?"/.exec(tag)?.[1] ?? box?.[1]);
  const height = Number(/\sheight="([\d.]+)(?:px)?"/.exec(tag)?.[1] ?? box?.[2]);
  return width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : null;
}
