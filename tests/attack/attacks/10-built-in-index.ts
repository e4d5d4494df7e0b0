import type { Attack } from "../attack.ts";
import { addDocuments, admin, ask, numbered } from "../documents.ts";
import { json, send, type Sent } from "../requests.ts";

/** The site's pages, and those of its translation. */
const BUILT_IN = ["docs", "docs--de"];

function writesTo(uid: string): [string, Sent][] {
  const path = `/search/indexes/${uid}`;
  return [
    ["its documents", json(`${path}/documents`, numbered(1, "x"), { headers: admin })],
    ["its settings", json(`${path}/settings`, { stopWords: ["a"] }, { method: "PATCH", headers: admin })],
    ["its primary key", json(path, { primaryKey: "x" }, { method: "PATCH", headers: admin })],
    ["a swap", json("/search/swap-indexes", [{ indexes: [uid, "other"] }], { headers: admin })],
    ["its creation", json("/search/indexes", { uid }, { headers: admin })],
    ["its documents' deletion", { method: "DELETE", path: `${path}/documents`, headers: admin }],
    ["its deletion", { method: "DELETE", path, headers: admin }],
  ];
}

export const builtInIndex: Attack = {
  item: 10,
  name: "writes to the site's own indexes",
  bound:
    "An index made from the site's pages is changed by no one; the writer is told why, at once, and no list names it.",
  async run(stage) {
    const server = await stage.server();
    await addDocuments(server, "other", numbered(1, "x"));
    let [sent, refused] = [0, 0];
    for (const uid of BUILT_IN) {
      for (const [name, write] of writesTo(uid)) {
        sent++;
        const { status } = await send(server.port, write);
        if (stage.check(status === 403, `${uid}, ${name}: answered ${status}, not 403`)) refused++;
      }
      const search = await ask(server, `/indexes/${uid}/search?q=cache&limit=1`);
      stage.check(search.body.includes('"hits":[{'), `the search of ${uid} finds nothing any more`);
    }
    const { body } = await send(server.port, { path: "/search/indexes", headers: admin });
    const { results } = JSON.parse(String(body)) as { results: { uid: string }[] };
    const listed = results.map(({ uid }) => uid).filter((uid) => BUILT_IN.includes(uid));
    stage.check(listed.length === 0, `the list of indexes names ${listed.join()}`);
    stage.report("writes to the built-in indexes", `${refused} of ${sent} refused`);
  },
};
