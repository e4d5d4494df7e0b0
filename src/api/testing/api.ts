/** The API for tests, with a cache, a registry and builds whose builders do nothing, on a database and a folder of its own. */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountMigrations, type AccountTables, createCallers } from "#accounts/index.ts";
import { createOwnedAccounts, OWNER_TOKEN } from "#accounts/testing/accounts.ts";
import { cacheMigrations, type CacheTables, createCache } from "#cache/index.ts";
import { buildMigrations, type BuildTables, createBuilds } from "#builds/index.ts";
import { standInOptions } from "#builds/testing/builds.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase } from "#platform/testing/database.ts";
import type { Log } from "#platform/log/log.ts";
import { createRegistry, registryMigrations, type RegistryTables } from "#registry/index.ts";
import type { ApiOptions } from "../create-api.ts";
import { apiMigrations, createApi } from "../index.ts";

export { OWNER_TOKEN };

export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
  body: any;
}

function noteIn(logged: string[]): Log {
  const note = (message: string, fields?: object) =>
    void logged.push(
      `${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? String(value.stack) : value))}`,
    );
  return { debug: note, info: note, warn: note, error: note, writes: () => true, flush: () => {} };
}

type Tables = AccountTables & LeaseTables & BlobTables & CacheTables & RegistryTables & BuildTables;
const migrations = [
  ...leaseMigrations,
  ...accountMigrations,
  ...apiMigrations,
  ...blobMigrations,
  ...cacheMigrations,
  ...registryMigrations,
  ...buildMigrations,
];
/** Tests of rights open more builders at the same time than a project may. */
const CONCURRENCY = 10_000;

interface TestApiOptions {
  rateLimitFactor?: number;
  /** For the disk of entries and images. */
  requireRoom?: () => void;
  builders?: Parameters<typeof createBuilds>[0]["builders"];
}

export async function openTestApi(
  kind: DatabaseKind,
  { rateLimitFactor = 1, requireRoom, builders, ...options }: ApiOptions & TestApiOptions = {},
) {
  const place = await openTestDatabase(kind);
  const time = { now: Date.UTC(2026, 10, 22) };
  const logged: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "millrace-api-"));
  const replica = await openReplica();

  /** Another server on the same database. */
  async function openReplica() {
    const database = await openDatabase<Tables>({ at: place.at, migrations });
    const log = noteIn(logged);
    const clock = () => time.now;
    const { accounts, secretKey } = await createOwnedAccounts({ database, log, clock });
    const store = await openDiskStore(folder);
    const blobs = createBlobs({ database, store, ...(requireRoom && { requireRoom }) });
    const parts = { accounts, database, blobs, store, log, clock };
    const cache = createCache(parts);
    const registry = createRegistry({ ...parts, mirror: {} });
    const { images, mirrors } = registry;
    const room = {
      ...(await standInOptions({ database, secretKey, clock })),
      ...(builders && { builders }),
    };
    const builds = await createBuilds({ accounts, database, log, clock, concurrency: CONCURRENCY, ...room });
    const callers = createCallers(accounts, { rateLimitFactor });
    const api = createApi(accounts, { builds, cache, images, mirrors, callers, ...options });

    /** @param method `ProjectService/List` */
    async function call(
      method: string,
      body: unknown = {},
      headers: Record<string, string> = {},
    ): Promise<Answer> {
      const response = await api.app.request(`/api/millrace.v1.${method}`, {
        method: "POST",
        headers: { authorization: `Bearer ${OWNER_TOKEN}`, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    }
    const close = async () => {
      for (const opened of [api, builds, cache, registry, store, accounts, database]) await opened.close();
    };
    return { accounts, api, builds, cache, registry, database, call, close };
  }

  return {
    ...replica,
    openReplica,
    place,
    time,
    logged,
    async [Symbol.asyncDispose]() {
      await replica.close();
      await place.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Signs a browser of the owner in. @returns its cookie */
export async function addSignIn({
  call,
  accounts,
  time,
}: Pick<Awaited<ReturnType<typeof openTestApi>>, "call" | "accounts" | "time">): Promise<string> {
  const key = "c".repeat(43);
  const { body: who } = await call("AccountService/WhoAmI");
  await accounts.db
    .insertInto("sign_ins")
    .values({
      id: "sgn_0123456789",
      user_id: who.user_id,
      key_hash: createHash("sha256").update(key).digest("base64url"),
      browser: "Firefox",
      address: "",
      created_at: time.now,
      last_used_at: time.now,
      expires_at: time.now + 60_000,
    })
    .execute();
  return `millrace-session=${key}`;
}
