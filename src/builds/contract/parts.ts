/** Shared parts of this room. */
import type { Accounts } from "#accounts/index.ts";
import type { Log } from "#platform/log/log.ts";
import type { Builders } from "../machine/machine.ts";
import type { Places } from "./places.ts";
import type { Changes } from "./changes.ts";
import type { BuildDatabase } from "../tables/schema.ts";

export interface BuildParts {
  accounts: Accounts;
  database: BuildDatabase;
  clock: () => number;
  /** Milliseconds from any origin, by a clock that is never set. */
  elapsed: () => number;
  /** Sets `clock` by the database's, if it is the database's clock. */
  lookAtClock: () => Promise<void>;
  log: Log;
  changes: Changes;
  builders: Builders;
  places: Places;
  /** Identifies this process. */
  holder: string;
  /** The same after a restart: identifies the disk with the layer caches. */
  server: string;
  /** The registry's host in image names: `localhost:3000`. */
  registryHost: string;
  timeoutMs: number;
  contextBytes: number;
  concurrency: number;
  retentionMs: number;
}

/** @param holder a process of the server */
export const serverOf = (holder: string): string => holder.slice(0, Math.max(0, holder.lastIndexOf(".")));
