import type { Kysely } from "kysely";
import type { DatabaseKind } from "./columns.ts";

export interface Migration {
  /** In the list's order of execution; never changed afterwards: `accounts-1`. */
  name: string;
  /** Counts releases that changed a table, from 1. */
  release: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tables change with each migration; Kysely's own type here
  up: (db: Kysely<any>, kind: DatabaseKind) => Promise<void>;
}
