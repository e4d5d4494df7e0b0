/**
 * Properties of image sizes:
 * 1. The size of an SVG is its width and height, else its view box; the size of a PNG is in its header.
 * 2. A missing file, another kind of file, and a file outside `public/` have no size.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { imageSize } from "./image-size.ts";

const root = mkdtempSync(join(tmpdir(), "images-"));
mkdirSync(join(root, "public/images"), { recursive: true });
afterAll(() => rmSync(root, { recursive: true }));

const png = Buffer.alloc(33);
png.write("\u0089PNG\r\n\u001a\n", "latin1");
png.writeUInt32BE(640, 16);
png.writeUInt32BE(360, 20);

test.each([
  ["a.svg", '<svg width="40" height="20.4px" viewBox="0 0 1 1"/>', { width: 40, height: 20 }],
  ["b.svg", '<?xml version="1.0"?>\n<svg xmlns="x" viewBox="0 0 300 150.5">', { width: 300, height: 151 }],
  ["c.svg", '<svg width="100%"/>', null],
  ["d.png", png, { width: 640, height: 360 }],
  ["e.png", "short", null],
  ["f.webp", "RIFF", null],
])("%s", (name, content, size) => {
  writeFileSync(join(root, "public/images", name), content);
  expect(imageSize(root, `/images/${name}`)).toEqual(size);
});

test.each(["/images/none.svg", "/images/../../package.svg", "https://x.example/a.png", "images/a.svg"])(
  "%s",
  (src) => {
    expect(imageSize(root, src)).toBeNull();
  },
);
