import { buildIndex, defaultSettings, type IndexSettings, type SearchDocument } from "#search/index.ts";
import { createSearchStore, type SearchStore } from "../catalog/store.ts";
import { storeVectors } from "../vectors/stored-vectors.ts";

const SECTIONS = ["Container builds", "GitHub Actions", "Runner CI", "CLI", "API"];

/** The documents that the requests in `tests/fixtures/wire/` were recorded against. */
export function wireDocuments(): SearchDocument[] {
  return Array.from({ length: 57 }, (_, number) => ({
    id: `doc-${number}`,
    title: number % 2 === 0 ? `Page ${number}` : `Docker Page ${number}`,
    content: `How to use docker build number ${number}`,
    section: SECTIONS[number % SECTIONS.length]!,
    path: `/docs/p${number}`,
  }));
}

/** A store with one index of the given documents. */
export function storeOf(
  uid: string,
  documents: SearchDocument[],
  settings: Partial<IndexSettings> = {},
): SearchStore {
  const store = createSearchStore();
  store.replace(uid, buildIndex(documents, { ...defaultSettings(), primaryKey: "id", ...settings }));
  return store;
}

/** A store with one index whose documents have one vector each for `hand`; the later, the less similar to 1, 0, 0 … */
export function storeOfVectors(
  uid: string,
  { count, length }: { count: number; length: number },
): SearchStore {
  const documents = Array.from({ length: count }, (_, id) => {
    const embeddings = [Float32Array.from({ length }, (_, at) => (at === 0 ? 1 : at === 1 ? id / count : 0))];
    return { id, _vectors: storeVectors(new Map([["hand", { embeddings, regenerate: false }]])) };
  });
  const store = storeOf(uid, documents);
  const { bytes } = store.require(uid);
  store.replace(uid, bytes, { protocol: { embedders: { hand: { source: "openAi" } } } });
  return store;
}

/** `docs` and `blog`, as recorded. */
export function wireStore(): SearchStore {
  const store = storeOf("docs", wireDocuments(), { filterableAttributes: ["section"] });
  store.replace("blog", store.require("docs").bytes);
  return store;
}

/** The indexes that anyone may search in the tests. */
export const PUBLIC_INDEXES = ["docs", "blog"];
