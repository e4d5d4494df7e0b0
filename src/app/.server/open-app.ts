/** The room: the web application's pages, and the operator's console with its reports. */
import { Hono } from "hono";
import type { Accounts, Callers } from "#accounts/index.ts";
import { siteConfig } from "#config";
import { createChangeTrials } from "#docs/try-search/try-change.ts";
import { createAddressOf } from "#platform/http/addresses/client-address.ts";
import { jsonApp } from "#platform/house/part-apps.ts";
import type { StaticFiles } from "#platform/http/static-files.ts";
import type { RoomPlan } from "#platform/house/plan.ts";
import { type AskServer, createRoom, type Mount } from "#platform/house/room.ts";
import type { Telemetry } from "#telemetry/index.ts";
import { createAppPage } from "./app-page.ts";
import { createConsolePage } from "./console-page.ts";
import { createConsoleRoutes } from "./console-routes.ts";
import { createFramePage } from "./frame-page.ts";
import { createOperatorCheck } from "./guard.ts";

interface AppFloor {
  accounts: Accounts;
  callers: Callers;
  telemetry: Telemetry;
  /** Answers a search that no reader made. */
  askQuietly: (body: unknown) => Promise<unknown>;
  /** The index of the site's pages that is served. */
  readIndex: () => Promise<Uint8Array>;
  /** The checkout's folder, whose files the console's actions change. */
  root: string;
  pages: () => Promise<{
    /** Whether the console's actions write those files (development) or only make a patch. */
    isWritable: boolean;
    /** The application and the console; undefined until they are built. */
    appFiles: StaticFiles | undefined;
  }>;
}

export const appRoom: RoomPlan<AppFloor, object, Record<never, never>> = {
  variables: {},
  migrations: [],
  sealed: [],
  async open({ accounts, callers, readIndex, askQuietly, pages, ...floor }, env) {
    const { isWritable, appFiles } = await pages();
    const trials = createChangeTrials(readIndex);
    const reports = createConsoleRoutes({
      ...floor,
      isWritable,
      origin: env.SITE_ORIGIN,
      config: siteConfig.telemetry,
      addressOf: createAddressOf(env.TRUSTED_PROXIES),
      checkOperator: createOperatorCheck(accounts, callers),
      search: askQuietly,
      tryChange: trials.tryChange,
      trials,
    });
    return { room: createRoom("app", { mounts: appMounts(appFiles, reports) }), gives: {} };
  },
};

export function appMounts(files: StaticFiles | undefined, reports: Hono): readonly Mount[] {
  // What a page asks itself goes the way of what its reader's browser asks: the same limits, the same rights.
  const createFrame = (ask: AskServer) =>
    createFramePage(files, (context) => async (request) => ask(request, context.env as object));
  return [
    {
      part: "console-api",
      paths: ["/console/api/*"],
      takesTurns: true,
      serve: () => jsonApp(reports, ["GET", "POST"]),
    },
    {
      part: "app",
      paths: ["/app/*", "/device"],
      takesTurns: false,
      serve: (_edge, ask) => createAppPage(files, createFrame(ask)),
    },
    {
      part: "console",
      paths: ["/console/*"],
      takesTurns: false,
      serve: (_edge, ask) => createConsolePage(files, createFrame(ask)),
    },
  ];
}
