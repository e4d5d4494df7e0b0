/** The routes of the search server, with the right that a key needs, and what is left out. */
import { code } from "./fact-table.ts";
import { tableOf } from "./fact-tables.ts";
import { plain } from "./inline-markdown.ts";

export const searchRouteTable = tableOf({
  example: "<SearchRouteTable />",
  head: ["Route", "Right of the key", "State"],
  rows: (facts) =>
    facts["search-routes"].routes.map(({ method, path, right, leftOut }) => ({
      cells: [
        [code(`${method === "ALL" ? "" : `${method} `}/search${path}`)],
        right === undefined ? "none" : [code(right)],
        plain(leftOut === undefined ? "works" : `left out. ${leftOut}`),
      ],
    })),
});
