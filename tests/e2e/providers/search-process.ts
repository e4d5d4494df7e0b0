/** A second server that acts as a Meilisearch server: search and content routes, nothing of the site. */
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createSearchStore, openEmbeddedProvider } from "#search-server/index.ts";

const { PORT = "", SEARCH_ADMIN_KEY = "", DATA_DIR = "" } = process.env;
const provider = await openEmbeddedProvider({
  store: createSearchStore(),
  publicIndexes: ["docs"],
  adminKey: SEARCH_ADMIN_KEY,
  dataDir: DATA_DIR,
});
const listener = getRequestListener(provider.routes.admin.fetch);
const server = createServer((request, response) => void listener(request, response));
server.listen(Number(PORT), "localhost", () => console.log("listening"));
