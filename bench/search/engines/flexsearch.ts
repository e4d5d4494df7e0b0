import { Charset, Document } from "flexsearch";
import { toSections } from "../corpus.ts";
import type { Engine } from "./engine.ts";

const WEIGHTS: { [field: string]: number } = { title: 5, page: 4, all: 3 };

/** The best configuration found: all words first, then any; the fields' rankings joined by reciprocal rank. */
export const engine: Engine = {
  name: "FlexSearch",
  open(records) {
    const sections = toSections(records);
    const fields = Object.keys(WEIGHTS).map((field) => ({
      field,
      tokenize: "forward" as const,
      encoder: Charset.LatinBalance,
      resolution: 9,
    }));
    const index = new Document({ document: { id: "id", index: fields } });
    sections.forEach((section, id) => {
      const { page, title, titles, text } = section;
      index.add({ id, page, title, all: `${page} ${titles} ${title} ${text}` });
    });
    return {
      search(q, limit) {
        const scores = new Map<number, number>();
        const add = (suggest: boolean, factor: number) => {
          // Synchronous, since no worker or database is configured; the types also allow a promise.
          const found = index.search(q, { limit: Math.max(limit, 50), suggest }) as unknown as {
            field: string;
            result: number[];
          }[];
          for (const { field, result } of found) {
            result.forEach((id, rank) => {
              scores.set(id, (scores.get(id) ?? 0) + (factor * WEIGHTS[field]!) / (10 + rank));
            });
          }
        };
        add(false, 3);
        if (scores.size < 20) add(true, 1);
        const best = [...scores].sort((a, b) => b[1] - a[1]).slice(0, limit);
        return best.map(([id]) => sections[id]!.url);
      },
      size: () => null,
    };
  },
};
