import type { Attack } from "../attack.ts";
import { addDocuments, admin, ask, numbered } from "../documents.ts";
import { json, send, type Sent } from "../requests.ts";

export const builtInIndex: Attack = {
  item: 10,
  name: "writes to the site's own index",
  bound: "The index made from the site's pages is changed by no one; the writer is told why, at once.",
  async run(stage) {
    const server = await stage.server();
    const writes: [string, Sent][] = [
      ["its documents", json("/search/indexes/docs/documents", numbered(1, "x"), { headers: admin })],
      [
        "its settings",
        json("/search/indexes/docs/settings", { stopWords: ["a"] }, { method: "PATCH", headers: admin }),
      ],
      [
        "its primary key",
        json("/search/indexes/docs", { primaryKey: "x" }, { method: "PATCH", headers: admin }),
      ],
      ["a swap", json("/search/swap-indexes", [{ indexes: ["docs", "other"] }], { headers: admin })],
      ["its creation", json("/search/indexes", { uid: "docs" }, { headers: admin })],
      [
        "its documents' deletion",
        { method: "DELETE", path: "/search/indexes/docs/documents", headers: admin },
      ],
      ["its deletion", { method: "DELETE", path: "/search/indexes/docs", headers: admin }],
    ];
    await addDocuments(server, "other", numbered(1, "x"));
    let refused = 0;
    for (const [name, sent] of writes) {
      const { status } = await send(server.port, sent);
      if (stage.check(status === 403, `${name}: answered ${status}, not 403`)) refused++;
    }
    const search = await ask(server, "/indexes/docs/search?q=cache&limit=1");
    stage.check(search.body.includes('"hits":[{'), "the site's search finds nothing any more");
    stage.report("writes to the built-in index", `${refused} of ${writes.length} refused`);
  },
};
