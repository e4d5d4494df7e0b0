/** PostgreSQL's connections, shared fairly between the holders of requests: the pool itself serves them in order of arrival. */
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { createFairPlaces } from "../fair/places.ts";
import { currentRequest } from "../log/request-context.ts";

export interface FairPoolOptions {
  /** Connections in the pool. */
  most: number;
  /** Longest wait for a connection, in milliseconds. */
  waitMs: number;
}

export function createFairPool(pool: PostgresPool, { most, waitMs }: FairPoolOptions): PostgresPool {
  const places = createFairPlaces(most);
  // In the driver's words, by which `database-away.ts` recognizes an unavailable database.
  const limits = { timeoutMs: waitMs, makeError: () => new Error("timeout: all connections are in use") };

  async function connect(): Promise<PostgresPoolClient> {
    const holder = currentRequest()?.holder;
    const waits = places.enter(holder, limits);
    if (waits) await waits;
    try {
      const client = await pool.connect();
      // The pool creates a new `release` each time.
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
