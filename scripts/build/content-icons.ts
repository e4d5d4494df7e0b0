import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./folders.ts";

/** The icons that authors name (`<Card icon="layers">`, `icon: layers` in the navigation), sorted, each once. */
export function contentIcons(): string[] {
  return namesIn("content", /\bicon(?:="|:\s*)([a-z0-9-]+)/g);
}

/** The brand marks that the marketing pages name (`brand: bazel`), sorted, each once. */
export function contentBrands(): string[] {
  return namesIn("content/marketing", /\bbrand:\s*([a-z0-9]+)/g);
}

function namesIn(path: string, pattern: RegExp): string[] {
  const folder = join(root, path);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.(mdx|yaml)$/.test(file));
  const names = files.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(pattern)].map((match) => match[1] ?? ""),
  );
  return [...new Set(names)].sort();
}
