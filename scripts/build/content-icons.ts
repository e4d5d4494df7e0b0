import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./folders.ts";

/** The icons that authors name (`<Card icon="layers">`, `icon: layers` in the navigation), sorted, each once. */
export function contentIcons(): string[] {
  const folder = join(root, "content");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.(mdx|yaml)$/.test(file));
  const names = files.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/\bicon(?:="|:\s*)([a-z0-9-]+)/g)].map((match) => match[1] ?? ""),
  );
  return [...new Set(names)].sort();
}
