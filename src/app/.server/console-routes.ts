import type { Hono } from "hono";
import { type AddressOf, connectionAddress } from "#platform/http/addresses/client-address.ts";
import type { Telemetry, TelemetryConfig } from "#telemetry/index.ts";
import { createSearchActions } from "./actions/search-actions.ts";
import { createSearchTrials, type TryChange } from "./actions/try-action.ts";
import type { AskSearch } from "./explain-routes.ts";
import type { CheckOperator } from "./guard.ts";
import { createSearchProposals, type IndexTrials } from "./proposal-routes.ts";
import { reportRoutes } from "./report-routes.ts";

export interface ConsoleOptions {
  telemetry: Pick<Telemetry, "store" | "health">;
  config: Pick<TelemetryConfig, "flags" | "surveys">;
  checkOperator: CheckOperator;
  /** Default: the connection's. */
  addressOf?: AddressOf;
  /** The address that operators see. */
  origin: string;
  /** The repository's folder; the console's actions change its files. */
  root: string;
  /** Whether actions write those files (development) or only make a patch. */
  isWritable: boolean;
  clock?: () => number;
  /** Answers the operator's searches without counting them: operators are not readers. */
  search?: AskSearch;
  /** Compares search results before and after a change. */
  tryChange?: TryChange;
  /** Proposes changes, and measures them on past searches. */
  trials?: IndexTrials;
}

/** `/console/api/…`: the requests of the console's pages, to be mounted at the site's origin. */
export function createConsoleRoutes({
  root,
  isWritable,
  tryChange,
  trials,
  clock = Date.now,
  addressOf = connectionAddress,
  ...options
}: ConsoleOptions): Hono {
  const runAction = createSearchActions({ root, isWritable });
  return reportRoutes({
    ...options,
    clock,
    addressOf,
    runAction,
    tryAction: createSearchTrials({ root, tryChange }),
    proposals: createSearchProposals({ store: options.telemetry.store, root, trials }),
  });
}
