import { fetchOnce } from "../parts/fetch-once.ts";

/** Anchor of the definition → what is shown (`src/docs/content/glossary.ts`). */
type Glossary = Record<string, { title: string; text: string }>;

/** Where it is not to be had, the words are still links. */
export const loadGlossary = fetchOnce<Glossary>("/docs/glossary.json", {});
