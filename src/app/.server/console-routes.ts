import { Hono } from "hono";
import { type AddressOf, connectionAddress } from "#platform/http/client-address.ts";
import type { Telemetry, TelemetryConfig } from "#telemetry/index.ts";
import { createSearchActions } from "./actions/search-actions.ts";
import { reportRoutes } from "./report-routes.ts";
import { createSessions } from "./session.ts";
import { signInRoutes } from "./sign-in-routes.ts";

export interface ConsoleOptions {
  telemetry: Pick<Telemetry, "store" | "health">;
  config: Pick<TelemetryConfig, "flags" | "surveys">;
  /** Signs the operator in; null: nobody can sign in. */
  token: string | null;
  /** The address that operators see. */
  origin: string;
  /** The repository's folder, whose files the console's actions change. */
  root: string;
  /** Whether actions write those files (development) or only make a patch. */
  isWritable: boolean;
  /** Who sends a request. Default: the connection's address, so that no proxy is believed. */
  addressOf?: AddressOf;
  clock?: () => number;
}

export interface ConsoleRoutes {
  /** Sign-in and `/console/api/…`, to be mounted at the site's origin. */
  app: Hono;
  /**
   * An address that opens the console once, within an hour. Its code is in the fragment, which browsers never send, so
   * that no proxy's log and no Referer has it.
   */
  makeLink: () => string;
}

/** The server side of the console: who is signed in, and what the pages ask for. */
export function createConsoleRoutes(options: ConsoleOptions): ConsoleRoutes {
  const { telemetry, config, origin, root, isWritable, clock = Date.now } = options;
  const { addressOf = connectionAddress } = options;
  const sessions = createSessions(options.token, clock);
  const runAction = createSearchActions({ root, isWritable });
  const app = new Hono();
  app.route("/", signInRoutes({ sessions, origin, addressOf, clock }));
  app.route("/", reportRoutes({ telemetry, config, sessions, origin, clock, runAction }));
  return { app, makeLink: () => `${origin}/console#code=${sessions.makeCode()}` };
}
