/** For tests and measurements: the server's table of addresses, with the given parts instead of the rooms. */
import { Hono } from "hono";
import { accountMounts } from "#accounts/index.ts";
import { apiMount } from "#api/index.ts";
import { appMounts } from "#app/.server/open-app.ts";
import { mcpMount } from "#docs/mcp/open-mcp.ts";
import type { StaticFiles } from "#platform/http/static-files.ts";
import { searchMounts, type SearchRoutes } from "#search-server/index.ts";
import { cliMount, type CliDownloads } from "#site/.server/cli-downloads.ts";
import { siteMount } from "#site/.server/open-site.ts";
import type { SiteAppOptions } from "#site/.server/site-app.ts";
import { type Telemetry, telemetryMount } from "#telemetry/index.ts";
import type { ServedHouse } from "../app.ts";

/** Missing parts do not answer their addresses. */
export interface TestParts extends SiteAppOptions {
  origin: string;
  searchRoutes: SearchRoutes;
  telemetry?: { app: Hono } & Partial<Pick<Telemetry, "countViews" | "reportError">>;
  accountApps?: { people: Hono; api: Hono; events?: Hono };
  mcpApp?: Hono;
  consoleApp?: Hono;
  consoleFiles?: StaticFiles;
  cli?: CliDownloads;
}

export function houseOf(parts: TestParts): ServedHouse {
  const { accountApps, telemetry } = parts;
  const nothing = new Hono();
  const mounts = [
    ...accountMounts(accountApps?.people ?? nothing, accountApps?.events ?? nothing),
    apiMount(accountApps?.api ?? nothing, parts.cli?.version ?? "0.0.0"),
    telemetryMount(telemetry ?? { app: nothing }),
    ...searchMounts(parts.searchRoutes),
    cliMount(parts.cli),
    siteMount(parts),
    mcpMount(parts.mcpApp ?? nothing),
    ...appMounts(parts.consoleFiles, parts.consoleApp ?? nothing),
  ];
  return { origin: parts.origin, rooms: [{ mounts }], ...(telemetry && { telemetry }) };
}
