import type { Attack } from "../attack.ts";
import { json, type Sent } from "../requests.ts";

const many = (count: number, item: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at));
/** As many as a body of 256 KB can hold, both of one letter and of different names. */
const LISTED = 60_000;
const DISTINCT = 40_000;
const words = "how to build a container image with the layer cache and push it to the registry from a runner";

/** Refused with a protocol error that names the excess, before any item is checked. */
const lists: [string, object][] = [
  "attributesToRetrieve",
  "attributesToHighlight",
  "attributesToCrop",
  "attributesToSearchOn",
  "facets",
  "sort",
  "locales",
  "filter",
].map((name) => [
  name,
  { q: "cache", [name]: many(15_000, (at) => (name === "sort" ? `a${at}:asc` : `a${at}`)) },
]);

/** Twenty queries in 7 KB, each of which asks for everything that a search can do. */
function wordyQueries(): object {
  const query = {
    indexUid: "docs",
    q: words,
    limit: 1000,
    attributesToHighlight: ["*"],
    attributesToCrop: ["*:5"],
    showMatchesPosition: true,
    showRankingScoreDetails: true,
  };
  return { queries: many(20, String).map((at) => ({ ...query, q: `${words} ${at}` })) };
}

export const workAfterMatching: Attack = {
  item: 2,
  name: "work after matching",
  bound: "Lists have caps, and one budget of work covers a request from parsing to the last byte.",
  async run(stage) {
    const server = await stage.target();
    const retrieve = { q: "a", limit: 1000, attributesToRetrieve: many(DISTINCT, (at) => at.toString(36)) };
    const refused: [string, Sent][] = [
      ["40,000 attributesToRetrieve", json("/indexes/docs/search", retrieve)],
      [
        "60,000 times the same attribute",
        json("/indexes/docs/search", { q: "a", attributesToRetrieve: many(LISTED, () => "a") }),
      ],
      ...(stage.isShort ? lists.slice(1, 2) : lists.slice(1)).map(([name, body]): [string, Sent] => [
        `15,000 ${name}`,
        json("/indexes/docs/search", body),
      ]),
      [
        "7,000 names of a GET search",
        { path: `/indexes/docs/search?q=a&attributesToCrop=${",".repeat(7000)}` },
      ],
    ];
    for (const [name, sent] of refused) {
      const { status } = await stage.strike(server, name, sent);
      stage.check(status === 400, `${name}: answered ${status}, not 400`);
    }
    const wordy = await stage.strike(
      server,
      "twenty wordy queries of 1,000 hits each",
      json("/multi-search", wordyQueries()),
    );
    stage.check([200, 400, 503].includes(wordy.status), `twenty wordy queries: answered ${wordy.status}`);
    if (stage.isShort) return;
    const facets = {
      q: "",
      limit: 1000,
      facets: ["*"],
      attributesToHighlight: ["*"],
      attributesToCrop: ["*"],
      cropLength: 1,
    };
    await stage.strike(server, "everything of every record", json("/indexes/docs/search", facets));
    const federated = { federation: { limit: 1000 }, ...wordyFederation() };
    await stage.strike(server, "twenty federated queries", json("/multi-search", federated));
    const filter = "(".repeat(2000) + "a=1" + ")".repeat(2000);
    await stage.strike(server, "a filter of 2,000 parentheses", json("/indexes/docs/search", { filter }));
    const or = many(3000, (at) => `anchor = ${at}`).join(" OR ");
    await stage.strike(server, "a filter of 3,000 conditions", json("/indexes/docs/search", { filter: or }));
  },
};

function wordyFederation(): object {
  return {
    queries: many(20, String).map((at) => ({
      indexUid: "docs",
      q: `${words} ${at}`,
      attributesToHighlight: ["*"],
    })),
  };
}
