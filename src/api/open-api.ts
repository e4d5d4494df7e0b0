/** The room as the environment says: the API over HTTP and gRPC. */
import type { Hono } from "hono";
import type { Accounts, Callers } from "#accounts/index.ts";
import type { Builds } from "#builds/index.ts";
import type { Cache } from "#cache/index.ts";
import { createAddressOf } from "#platform/http/addresses/client-address.ts";
import { nameCli } from "#platform/house/name-cli.ts";
import { callApp } from "#platform/house/part-apps.ts";
import type { RoomPlan } from "#platform/house/plan.ts";
import { createRoom, type Mount } from "#platform/house/room.ts";
import type { Images, Mirrors } from "#registry/index.ts";
import { createApi } from "./create-api.ts";
import { apiMigrations } from "./idempotency/schema.ts";

interface ApiFloor {
  accounts: Accounts;
  callers: Callers;
  builds: Builds;
  cache: Cache;
  images: Images;
  mirrors: Mirrors | undefined;
  pages: () => Promise<{
    /** Which CLI belongs to this server: `0.1.0-1a2b3c4d`. */
    cliVersion: string;
  }>;
}

export const apiRoom: RoomPlan<ApiFloor, object, Record<never, never>> = {
  variables: {},
  migrations: apiMigrations,
  sealed: [],
  async open({ accounts, pages, ...floor }, env) {
    const { cliVersion } = await pages();
    const api = createApi(accounts, { ...floor, addressOf: createAddressOf(env.TRUSTED_PROXIES) });
    const room = createRoom("api", {
      mounts: [apiMount(api.app, cliVersion)],
      grpc: { services: [api.routes], calls: [] },
      close: api.close,
    });
    return { room, gives: {} };
  },
};

/** It asks who calls, and limits it itself. */
export const apiMount = (api: Hono, cliVersion: string): Mount => ({
  part: "api",
  paths: ["/api/*", "/openapi.json"],
  takesTurns: true,
  serve: (edge) => callApp(api, edge, nameCli(cliVersion)),
});
