import { hashSection, readPageSource } from "./page-source.ts";

/** The translation with the hashes of today's English sections. */
export function acceptTranslation(
  translation: string,
  { source, anchors }: { source: string; anchors: readonly string[] },
): string {
  const { sections } = readPageSource(source);
  const hashes = new Map(
    sections.map((section, at) => [at === 0 ? "" : anchors[at - 1], hashSection(section)]),
  );
  return translation
    .replace(/^source:.*$/m, `source: ${hashes.get("") ?? ""}`)
    .replaceAll(/^(## .*)\[#([a-z0-9-]+)(?:\s+[\w-]+)?\]$/gm, (all, before: string, anchor: string) => {
      const hash = hashes.get(anchor);
      return hash === undefined ? all : `${before}[#${anchor} ${hash}]`;
    });
}
