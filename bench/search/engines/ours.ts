import { buildIndex, openIndex, search } from "../../../src/search/index.ts";
import { LEVELS } from "../corpus.ts";
import type { Engine } from "./engine.ts";

export const engine: Engine = {
  name: "Millrace",
  open(records) {
    const hierarchy = { url: "url", levels: LEVELS, content: "content" };
    const bytes = buildIndex(records, { hierarchy });
    const index = openIndex(bytes);
    return {
      search: (q, limit) =>
        search(index, { q, limit, retrieve: ["url"] }).hits.map(({ document }) => String(document.url)),
      size: () => bytes.length,
    };
  },
};
