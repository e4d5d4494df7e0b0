import { Hono } from "hono";
import { accessOf } from "../keys/guards.ts";
import { refuseMethod } from "./refuse.ts";
import type { SearchStore, StoredIndex } from "../catalog/store.ts";

export interface VersionInfo {
  commitSha: string;
  commitDate: string;
  pkgVersion: string;
}

export interface StatusRouteOptions {
  store: SearchStore;
  version: VersionInfo;
  isIndexing: (uid: string) => boolean;
  /** Whether lists of indexes name it. */
  isListed: (uid: string) => boolean;
}

/**
 * `/health`.
 * @param isDegraded whether something needs the operator: an unusable index, a disk that refuses writes
 */
export function healthRoutes(isDegraded: () => boolean): Hono {
  const app = new Hono();
  app.get("/health", (context) => context.json({ status: isDegraded() ? "degraded" : "available" }));
  app.all("/health", refuseMethod);
  return app;
}

/** `/version`, `/stats`. */
export function statusRoutes({ store, version, isIndexing, isListed }: StatusRouteOptions): Hono {
  const app = new Hono();
  app.get("/version", (context) => context.json(version));
  app.get("/stats", (context) => {
    const indexes = store.list().filter(({ uid }) => isListed(uid) && accessOf(context).sees(uid));
    const size = indexes.reduce((sum, stored) => sum + stored.bytes.byteLength, 0);
    const newest = Math.max(...indexes.map((stored) => stored.updatedAt.getTime()));
    return context.json({
      databaseSize: size,
      usedDatabaseSize: size,
      lastUpdate: indexes.length > 0 ? new Date(newest).toISOString() : null,
      indexes: Object.fromEntries(
        indexes.map((stored) => [stored.uid, indexStats(stored, isIndexing(stored.uid))]),
      ),
    });
  });
  return app;
}

export function indexStats(stored: StoredIndex, isIndexing: boolean) {
  const { index, bytes, protocol } = stored;
  return {
    numberOfDocuments: index.documentCount,
    rawDocumentDbSize: index.documentCount > 0 ? bytes.byteLength : 0,
    avgDocumentSize: index.documentCount > 0 ? Math.round(bytes.byteLength / index.documentCount) : 0,
    isIndexing,
    numberOfEmbeddings: protocol.embedded?.embeddings ?? 0,
    numberOfEmbeddedDocuments: protocol.embedded?.documents ?? 0,
    fieldDistribution: index.fieldCounts,
  };
}
