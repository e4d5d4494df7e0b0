/** Anchor of the definition → what is shown (`src/docs/content/glossary.ts`). */
type Glossary = Record<string, { title: string; text: string }>;

let loaded: Promise<Glossary> | undefined;

/** One request for all words. @returns nothing where it fails; the words are still links, and the next one asks again. */
export function loadGlossary(): Promise<Glossary> {
  loaded ??= fetch("/docs/glossary.json")
    .then((response) => (response.ok ? (response.json() as Promise<Glossary>) : Promise.reject(new Error())))
    .catch(() => {
      loaded = undefined;
      return {};
    });
  return loaded;
}
