import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ContentProblem, Page } from "../types.ts";

/** Images that are not in `public/`. */
export function checkImages(pages: readonly Page[], root: string): ContentProblem[] {
  return pages.flatMap((page) =>
    page.images.flatMap(({ src, line }): ContentProblem[] => {
      if (src.startsWith("/") && existsSync(join(root, "public", src))) return [];
      const message = src.startsWith("/")
        ? `There is no public${src}.`
        : `"${src}" is not an image of the site.`;
      const fix = `Put the file into public/images/ and write src="/images/…".`;
      return [{ file: page.file, line, rule: "image", severity: "error", message, fix }];
    }),
  );
}

/** Icons that Lucide does not have; they would be empty. */
export function checkIcons(pages: readonly Page[]): ContentProblem[] {
  const icons = join(dirname(createRequire(import.meta.url).resolve("lucide-static/package.json")), "icons");
  return pages.flatMap((page) => {
    const names = new Set(
      [...page.html.matchAll(/\{\{sprite\}\}#l-([^"]*)"/g)].map(([, name]) => name ?? ""),
    );
    return [...names].flatMap((name): ContentProblem[] => {
      if (/^[a-z0-9-]+$/.test(name) && existsSync(join(icons, `${name}.svg`))) return [];
      const message = `There is no icon "${name}".`;
      const fix = 'icon="layers", or another name from lucide.dev/icons';
      return [{ file: page.file, line: 1, rule: "icon", severity: "error", message, fix }];
    });
  });
}
