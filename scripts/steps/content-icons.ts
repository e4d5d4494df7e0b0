import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { didYouMean } from "#docs/content/problem.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { brandNames, hasBrand, hasIcon, iconNames } from "#site/ui/sprite.ts";
import { root } from "#server/pages/build-folders.ts";

interface Kind {
  what: string;
  folder: string;
  pattern: RegExp;
  exists: (name: string) => boolean;
  /** All names, for suggestions. */
  names: () => string[];
  from: string;
}

const icon: Kind = {
  what: "icon",
  folder: "content",
  pattern: /\bicon(?:="|:\s*)([a-z0-9-]+)/g,
  exists: hasIcon,
  names: iconNames,
  from: "A name from https://lucide.dev/icons",
};

const brand: Kind = {
  what: "mark",
  folder: "content/marketing",
  pattern: /\bbrand:\s*([a-z0-9]+)/g,
  exists: hasBrand,
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
    const unknown = namesIn(kind).filter(({ name }) => !kind.exists(name));
    const names = unknown.length > 0 ? kind.names() : [];
    return unknown.map(({ name, file, line }): ContentProblem => {
      const message = `There is no ${kind.what} "${name}".${didYouMean(name, names)}`;
      return { file, line, rule: "icon", severity: "error", message, fix: kind.from };
    });
  });
}

function known(kind: Kind): string[] {
  return [...new Set(namesIn(kind).map(({ name }) => name))].filter(kind.exists).sort();
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
