/** The connections of PostgreSQL, shared between those whom requests work for: the pool itself gives them in the order of asking. */
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { createFairPlaces } from "../fair/places.ts";
import { currentRequest } from "../log/request-context.ts";

export interface FairPoolOptions {
  /** Connections of the pool. */
  most: number;
  /** How long one may wait for a connection, in milliseconds. */
  waitMs: number;
}

export function createFairPool(pool: PostgresPool, { most, waitMs }: FairPoolOptions): PostgresPool {
  const places = createFairPlaces(most);
  // As the driver says it, for who tells a database that is away from a mistake.
  const limits = { timeoutMs: waitMs, makeError: () => new Error("timeout: all connections are in use") };

  async function connect(): Promise<PostgresPoolClient> {
    const holder = currentRequest()?.holder;
    const waits = places.enter(holder, limits);
    if (waits) await waits;
    try {
      const client = await pool.connect();
      // The pool makes it anew each time.
      const release = client.release.bind(client);
      client.release = (destroy?: boolean) => {
        try {
          release(destroy);
        } finally {
          places.leave(holder);
        }
      };
      return client;
    } catch (error) {
      places.leave(holder);
      throw error;
    }
  }

  return { options: pool.options, connect, end: () => pool.end() };
}
