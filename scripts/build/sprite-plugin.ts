import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { buildSprite } from "../../src/site/ui/sprite.ts";

/** Emits the icon sprite once, under a name that changes with its content, and defines `__SPRITE_URL__`. */
export function iconSprite(): Plugin {
  const sprite = buildSprite();
  const fileName = `assets/icons-${createHash("sha256").update(sprite).digest("hex").slice(0, 8)}.svg`;
  return {
    name: "millrace:icon-sprite",
    config: () => ({ define: { __SPRITE_URL__: JSON.stringify(`/${fileName}`) } }),
    generateBundle() {
      if (this.environment.name === "client") this.emitFile({ type: "asset", fileName, source: sprite });
    },
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader("Content-Type", "image/svg+xml");
        response.end(sprite);
      });
    },
  };
}
