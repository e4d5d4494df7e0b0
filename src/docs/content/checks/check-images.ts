import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ContentProblem, Page } from "../types.ts";

/** Finds images that are not in `public/`. */
export function checkImages(pages: readonly Page[], root: string): ContentProblem[] {
  return pages.flatMap((page) =>
    page.images.flatMap(({ src, line }): ContentProblem[] => {
      if (src.startsWith("/") && existsSync(join(root, "public", src))) return [];
      const message = src.startsWith("/")
        ? `public${src} does not exist.`
        : `"${src}" is not an image on this site.`;
      const fix = `Put the file in public/images/ and write src="/images/…".`;
      return [{ file: page.file, line, rule: "image", severity: "error", message, fix }];
    }),
  );
}
