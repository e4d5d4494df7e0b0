/** Accounts and the API behind a real server, as a process that can be killed; reports its port over IPC. */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { consoleLog } from "#platform/log/log.ts";
import { parseEnvironment } from "#server/environment.ts";
import { openRecordRooms } from "#server/testing/records.ts";

const [dataDir = "", ownerToken = ""] = process.argv.slice(2);
const env = parseEnvironment({
  DATA_DIR: dataDir,
  MILLRACE_OWNER_TOKEN: ownerToken,
  RATE_LIMIT_FACTOR: "0",
});
const { api } = await openRecordRooms(env, { log: { ...consoleLog, info: () => {} } });
const server = serve({ fetch: api.fetch, hostname: "127.0.0.1", port: 0 });
server.once("listening", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.once("disconnect", () => process.exit());
