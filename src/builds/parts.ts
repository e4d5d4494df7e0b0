/** What the files of this room share. */
import type { Accounts } from "#accounts/index.ts";
import type { Log } from "#platform/log/log.ts";
import type { Builders } from "./machine/machine.ts";
import type { Places } from "./queue/places.ts";
import type { Changes } from "./records/changes.ts";
import type { BuildDatabase } from "./schema.ts";

export interface BuildParts {
  accounts: Accounts;
  database: BuildDatabase;
  clock: () => number;
  /** Milliseconds from any origin, by a clock that nobody sets. */
  elapsed: () => number;
  /** Sets `clock` right by the database's, where it is the database's. */
  lookAtClock: () => Promise<void>;
  log: Log;
  changes: Changes;
  builders: Builders;
  places: Places;
  /** This server, unlike any other. */
  holder: string;
  /** The same after a restart: whose disk has the layer caches. */
  server: string;
  /** As images name the registry: `localhost:3000`. */
  registryHost: string;
  timeoutMs: number;
  contextBytes: number;
  concurrency: number;
  retentionMs: number;
}

/** @param holder a process of it */
export const serverOf = (holder: string): string => holder.slice(0, Math.max(0, holder.lastIndexOf(".")));
