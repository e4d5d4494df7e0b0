import { HASH_LENGTH } from "./visits.ts";

export interface Section {
  /** "" for what stands before the first heading. */
  anchor: string;
  hash: string;
}

/** The page's sections as they are now (`src/docs/content/page-sections.ts`). @returns null where they cannot be had */
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
