import { HASH_LENGTH } from "./visits.ts";

export interface Section {
  /** "" for the text before the first heading. */
  anchor: string;
  hash: string;
}

/** The page's current sections (`src/docs/content/page/page-sections.ts`). @returns null if they cannot be loaded */
export async function loadSections(path: string, signal: AbortSignal): Promise<Section[] | null> {
  try {
    const response = await fetch(`${path}.sections.json`, { signal });
    const sections: unknown = response.ok ? await response.json() : null;
    return Array.isArray(sections) ? sections.flatMap(sectionOf) : null;
  } catch {
    return null;
  }
}

function sectionOf(entry: unknown): Section[] {
  if (!Array.isArray(entry)) return [];
  const [anchor, hash]: unknown[] = entry;
  const isWhole = typeof anchor === "string" && typeof hash === "string" && hash.length === HASH_LENGTH;
  return isWhole ? [{ anchor, hash }] : [];
}
