/**
 * The registry as a builder sees it: `/v2/` and nothing else, on a listener in the builder's network (decision 033). The
 * listener identifies whose builder calls, so that base images need no token of the client: it pulls what this server mirrors,
 * and images of its own project. Everything else needs the client's token, as from anywhere.
 */
import { createServer } from "node:http";
import type { Server } from "node:net";
import type { Kysely } from "kysely";
import { type AccountTables, type Actor, createCallers } from "#accounts/index.ts";
import { workGate } from "#platform/fair/work-gate.ts";
import { hasOneHost } from "#platform/http/connections/one-host.ts";
import type { Log } from "#platform/log/log.ts";
import { createRegistryHandler } from "./http/handler.ts";
import type { Registry } from "./contract/registry.ts";
import type { Traffic } from "./http/traffic.ts";

const PREFIX = "/v2/";
/** Bytes of a body that cost as much as a request. */
const TURN_BYTES = 256 * 1024;

export interface BuilderEndpointOptions {
  registry: Registry;
  database: { db: Kysely<Pick<AccountTables, "organizations">> };
  traffic: Traffic;
  log: Log;
}

/** @param server its connections come from inside a builder. */
export type ServeBuilder = (server: Server, whose: { organizationId: string; projectId: string }) => void;

export function createBuilderEndpoint({
  registry,
  database,
  traffic,
  log,
}: BuilderEndpointOptions): ServeBuilder {
  return (server, whose) => {
    const handle = createRegistryHandler({
      registry,
      // Separate: all builders come from the same address, and one with wrong tokens would lock out the others.
      callers: createCallers(registry.accounts, { gate: workGate }),
      traffic,
      log,
      async actorWithoutToken() {
        const turn = workGate.pace(whose.organizationId, TURN_BYTES);
        if (turn) await turn;
        return findActor(database, whose);
      },
    });
    const http = createServer((request, response) => {
      if (!hasOneHost(request))
        return void response.writeHead(400, { connection: "close", "content-length": 0 }).end();
      if (request.url?.startsWith(PREFIX)) return handle(request, response);
      response
        .writeHead(404, { "content-type": "text/plain" })
        .end("Builders can reach only the registry here.\n");
    });
    // A layer may take any time; its sender is a process of this server.
    http.requestTimeout = 0;
    server.on("connection", (socket) => http.emit("connection", socket));
  };
}

/** @returns null for an organization that was deleted */
async function findActor(
  { db }: BuilderEndpointOptions["database"],
  { organizationId, projectId }: { organizationId: string; projectId: string },
): Promise<Actor | null> {
  const row = await db
    .selectFrom("organizations")
    .select("name")
    .where("id", "=", organizationId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    kind: "project",
    tokenId: "",
    name: "builder",
    organizationId,
    organization: row.name,
    projectId,
    readOnly: true,
    expiresAt: null,
  };
}
