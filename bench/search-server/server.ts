/**
 * The server under load, in its own process: one corpus as the index `docs`, the search routes over HTTP. Reports its CPU time on
 * request by message. Called by ../search-server.ts: server.ts <corpus> <bytes of kept answers>
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { buildIndex } from "#search/index.ts";
import { createSearchRoutes, createSearchStore } from "#search-server/index.ts";
import { LEVELS, readRecords } from "../search/corpus.ts";

export type ServerMessage = { kind: "listening"; port: number } | { kind: "cpu"; ms: number };

const [corpus = "", cachedAnswerBytes = ""] = process.argv.slice(2);
const hierarchy = { url: "url", levels: LEVELS, content: "content" };
const store = createSearchStore();
store.replace("docs", buildIndex(readRecords(corpus), { hierarchy, primaryKey: "objectID" }));
const app = createSearchRoutes({
  store,
  publicIndexes: ["docs"],
  limits: { cachedAnswerBytes: Number(cachedAnswerBytes) },
}).public;
const listener = getRequestListener(app.fetch);
const server = createServer((request, response) => void listener(request, response));
const send = (message: ServerMessage) => process.send?.(message);

server.listen(0, "127.0.0.1", () => {
  // It listens on a port, so the address is an AddressInfo.
  send({ kind: "listening", port: (server.address() as AddressInfo).port });
});
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  send({ kind: "cpu", ms: (user + system) / 1000 });
});
process.on("disconnect", () => process.exit());
