/** The process that is killed: the content routes over one folder, on a free port that it prints. */
import { serve } from "@hono/node-server";
import { createSearchRoutes, createSearchStore, openContentService } from "#search-server/index.ts";

const [dataDir = "", adminKey = ""] = process.argv.slice(2);
const store = createSearchStore();
const content = await openContentService({ store, dataDir, onError: (error) => console.error(error) });
for (const { file, reason } of content.problems) console.error(`${file}: ${reason}`);
const app = createSearchRoutes({
  store,
  content,
  publicIndexes: [],
  adminKey,
  onError: (error) => console.error(error),
}).admin;
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(`listening ${port}`));
