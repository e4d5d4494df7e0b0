import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { didYouMean } from "#docs/content/problem.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { brandNames, iconNames } from "#site/ui/sprite.ts";
import { root } from "#server/build-folders.ts";

interface Kind {
  what: string;
  folder: string;
  pattern: RegExp;
  /** Names of existing icons. */
  names: () => string[];
  from: string;
}

const icon: Kind = {
  what: "icon",
  folder: "content",
  pattern: /\bicon(?:="|:\s*)([a-z0-9-]+)/g,
  names: iconNames,
  from: "A name from https://lucide.dev/icons",
};

const brand: Kind = {
  what: "mark",
  folder: "content/marketing",
  pattern: /\bbrand:\s*([a-z0-9]+)/g,
  names: brandNames,
  from: "A name from https://simpleicons.org",
};

/** The existing icons that authors name (`<Card icon="layers">`, `icon: layers` in the navigation), sorted, without repeats. */
export const contentIcons = () => known(icon);

/** The brand marks that the marketing pages name (`brand: bazel`) and that exist, sorted, without repeats. */
export const contentBrands = () => known(brand);

/** Icons and marks that pages name but that do not exist. They would not be shown. */
export function iconProblems(): ContentProblem[] {
  return [icon, brand].flatMap((kind) => {
    const names = kind.names();
    const unknown = namesIn(kind).filter(({ name }) => !names.includes(name));
    return unknown.map(({ name, file, line }): ContentProblem => {
      const message = `There is no ${kind.what} "${name}".${didYouMean(name, names)}`;
      return { file, line, rule: "icon", severity: "error", message, fix: kind.from };
    });
  });
}

function known(kind: Kind): string[] {
  const names = new Set(kind.names());
  return [...new Set(namesIn(kind).map(({ name }) => name))].filter((name) => names.has(name)).sort();
}

function namesIn({ folder, pattern }: Kind): { name: string; file: string; line: number }[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(mdx|yaml)$/.test(file))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`);
  return files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((text, i) =>
        [...text.matchAll(pattern)].map(([, name = ""]) => ({ name, file, line: i + 1 })),
      ),
  );
}
