import { buildIndex, openIndex, search } from "#search/index.ts";
import { LEVELS } from "../corpus.ts";
import type { Engine } from "./engine.ts";

function reopen(bytes: Uint8Array) {
  const index = openIndex(bytes);
  return {
    search: (q: string, limit: number) =>
      search(index, { q, limit, retrieve: ["url"] }).hits.map(({ document }) => String(document.url)),
    size: () => bytes.length,
    stored: () => bytes,
  };
}

export const engine: Engine = {
  name: "Millrace",
  open(records) {
    const hierarchy = { url: "url", levels: LEVELS, content: "content" };
    return reopen(buildIndex(records, { hierarchy }));
  },
  reopen,
};
