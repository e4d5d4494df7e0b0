import { fetchOnce } from "../parts/fetch-once.ts";

/** Anchor of the definition → the text to show (`src/docs/content/words/glossary.ts`). */
type Glossary = Record<string, { title: string; text: string }>;

/** If it cannot be loaded, the words are still links. */
export const loadGlossary = fetchOnce<Glossary>("/docs/glossary.json", {});
