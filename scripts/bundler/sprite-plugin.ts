import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { contentBrands, contentIcons } from "../steps/content-icons.ts";
import { buildMarks, buildSprite } from "#site/ui/sprite.ts";

/** The file name contains a hash of the content. */
function spriteFile(name: string, make: () => string) {
  const source = make();
  const fileName = `assets/${name}-${createHash("sha256").update(source).digest("hex").slice(0, 8)}.svg`;
  return { fileName, url: `/${fileName}`, source, make };
}

const icons = spriteFile("icons", () => buildSprite(contentIcons()));
const marks = spriteFile("marks", () => buildMarks(contentBrands()));

/** The address at which pages find the icons. */
export const spriteUrl = icons.url;

/** Emits the sprites and defines `__SPRITE_URL__` (every page's icons) and `__MARKS_URL__` (brands on the marketing pages). */
export function iconSprite(): Plugin {
  return {
    name: "millrace:icon-sprite",
    config: () => ({
      define: { __SPRITE_URL__: JSON.stringify(icons.url), __MARKS_URL__: JSON.stringify(marks.url) },
    }),
    generateBundle() {
      if (this.environment.name !== "client") return;
      for (const { fileName, source } of [icons, marks]) this.emitFile({ type: "asset", fileName, source });
    },
    configureServer(server) {
      // Rebuilt for each request, so that an icon named a moment ago is included.
      for (const { url, make } of [icons, marks])
        server.middlewares.use(url, (_request, response) => {
          response.setHeader("Content-Type", "image/svg+xml");
          response.setHeader("Cache-Control", "no-cache");
          response.end(make());
        });
    },
  };
}
