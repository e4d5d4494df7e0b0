import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { contentIcons } from "./content-icons.ts";
import { buildSprite } from "../../src/site/ui/sprite.ts";

const sprite = buildSprite(contentIcons());
const fileName = `assets/icons-${createHash("sha256").update(sprite).digest("hex").slice(0, 8)}.svg`;

/** Where the pages find the sprite; its name changes with its content. */
export const spriteUrl = `/${fileName}`;

/** Emits the icon sprite and defines `__SPRITE_URL__`. */
export function iconSprite(): Plugin {
  return {
    name: "millrace:icon-sprite",
    config: () => ({ define: { __SPRITE_URL__: JSON.stringify(spriteUrl) } }),
    generateBundle() {
      if (this.environment.name === "client") this.emitFile({ type: "asset", fileName, source: sprite });
    },
    configureServer(server) {
      server.middlewares.use(spriteUrl, (_request, response) => {
        response.setHeader("Content-Type", "image/svg+xml");
        response.end(sprite);
      });
    },
  };
}
