/**
 * The cost of the registry's hourly sweep with 100,000 images in one repository, each with ten blobs of its own: 1,000,000 rows
 * of blobs.
 *
 *   node bench/registry-sweep.ts        SQLite; PostgreSQL too when MILLRACE_TEST_DATABASE_URL names one
 *
 * `first`: everything is new. `idle`: an hour later, nothing has changed. `expired`: 1,000 of them are saved builds that
 * are too old, and are removed with their blobs. `stall`: the longest time in which no request was served.
 */
import { sql } from "kysely";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  accountMigrations,
  type AccountTables,
  createAccounts,
  createProject,
  identify,
  setOwnerToken,
} from "#accounts/index.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import { type Database, openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { consoleLog } from "#platform/log/log.ts";
import { openTestDatabase, availableDatabaseKinds } from "#platform/testing/database.ts";
import { createRegistry, registryMigrations, type RegistryTables } from "#registry/index.ts";

const IMAGES = 100_000;
const BLOBS_OF_EACH = 10;
const SAVED = 1_000;
const OWNER_TOKEN = "mr_user_for-measurements-0123456789-abcdef";
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
const NANOSECONDS_PER_MS = 1_000_000;

for (const kind of availableDatabaseKinds) await measure(kind);

type Tables = RegistryTables & BlobTables & AccountTables & LeaseTables;

async function open(kind: (typeof availableDatabaseKinds)[number], clock: () => number) {
  const place = await openTestDatabase(kind);
  const database = await openDatabase<Tables>({
    at: place.at,
    migrations: [...leaseMigrations, ...accountMigrations, ...blobMigrations, ...registryMigrations],
  });
  const folder = mkdtempSync(join(tmpdir(), "millrace-sweep-"));
  const store = await openDiskStore(folder);
  const log = consoleLog;
  const secretKey = new Uint8Array(32);
  const accounts = createAccounts({ database, log, clock, secretKey, origin: "http://a", version: "0" });
  const blobs = createBlobs({ database, store });
  const registry = createRegistry({ accounts, database, blobs, store, log, clock });
  await setOwnerToken(accounts, OWNER_TOKEN);
  const caller = { actor: await identify(accounts, { bearer: OWNER_TOKEN }), address: "" };
  const project = await createProject(accounts, caller, { name: "web" });
  return {
    database,
    registry,
    project,
    async close() {
      await registry.close();
      await accounts.close();
      await database.close();
      await place.remove();
      rmSync(folder, { recursive: true });
    },
  };
}

async function measure(kind: (typeof availableDatabaseKinds)[number]): Promise<void> {
  const time = { now: 1_800_000_000_000 };
  const test = await open(kind, () => time.now);
  await fill(test.database, test.project, time.now);
  await report(`${kind} first`, () => test.registry.sweep());
  time.now += HOUR_MS;
  await report(`${kind} idle`, () => test.registry.sweep());
  time.now += 7 * DAY_MS;
  // Each is checked again within a week; those checks are not measured.
  for (const table of ["registry_manifests", "registry_blobs"] as const)
    await test.database.db
      .updateTable(table)
      .set({ sweep_at: time.now + DAY_MS })
      .execute();
  await sql`update registry_manifests set sweep_at = 0 where digest in
    (select digest from registry_tags where substr(name, 1, 4) = 'bld_')`.execute(test.database.db);
  await report(`${kind} expired`, () => test.registry.sweep());
  const left = await test.database.db
    .selectFrom("registry_blobs")
    .select((query) => query.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  console.log(`  ${(IMAGES * BLOBS_OF_EACH - left.count).toLocaleString("en")} blobs have gone`);
  await test.close();
}

async function report(name: string, run: () => Promise<void>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpu = process.cpuUsage();
  const began = performance.now();
  await run();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  delay.disable();
  const stall = delay.max / NANOSECONDS_PER_MS;
  console.log(
    `${name.padEnd(20)} ${ms.toFixed(1)} ms, ${((user + system) / 1000).toFixed(0)} ms of processor time, longest stall ${stall.toFixed(1)} ms`,
  );
}

/** As pushes would have left them, but in a few statements. */
async function fill(
  { db, kind }: Database<Tables>,
  project: { id: string; organizationId: string },
  now: number,
): Promise<void> {
  const id = sql.lit(project.id);
  const numbers = (count: number) =>
    kind === "postgres"
      ? sql`select n from generate_series(0, ${sql.lit(count - 1)}) as n`
      : sql`select value as n from (with recursive c(value) as (select 0 union all select value + 1 from c where value < ${sql.lit(count - 1)}) select value from c)`;
  const hex = (of: string, n: unknown) =>
    kind === "postgres"
      ? sql`(${sql.lit(`sha256:${of}`)} || lpad(to_hex(${n}), 63, '0'))`
      : sql`printf(${sql.lit(`sha256:${of}%063x`)}, ${n})`;
  const n = sql.raw("n");
  const image = sql.raw(`(n / ${BLOBS_OF_EACH})`);
  const blobs = IMAGES * BLOBS_OF_EACH;
  const at = sql.lit(now);
  const build = kind === "postgres" ? sql`lpad(n::text, 10, '0')` : sql`printf('%010d', n)`;
  const statements = [
    sql`insert into registry_repositories (id, organization_id, mirror, created_at) values (${id}, ${project.organizationId}, '', 0)`,
    sql`insert into blobs (digest, size, stored_bytes, encoding, place, reference_count, held_until, is_damaged)
      select ${hex("b", n)}, 1000, 1000, 'identity', null, 1, 0, 0 from (${numbers(blobs)}) as numbers`,
    sql`insert into blobs (digest, size, stored_bytes, encoding, place, reference_count, held_until, is_damaged)
      select ${hex("a", n)}, 1000, 1000, 'identity', null, 1, 0, 0 from (${numbers(IMAGES)}) as numbers`,
    sql`insert into registry_blobs (repository_id, digest, size, used_at)
      select ${id}, ${hex("b", n)}, 1000, ${at} from (${numbers(blobs)}) as numbers`,
    sql`insert into registry_references (repository_id, manifest_digest, position, digest, kind, media_type, size, platform)
      select ${id}, ${hex("a", image)}, n % ${sql.lit(BLOBS_OF_EACH)}, ${hex("b", n)}, 'layer', 'application/vnd.oci.image.layer.v1.tar+gzip', 1000, ''
      from (${numbers(blobs)}) as numbers`,
    sql`insert into registry_manifests (repository_id, digest, media_type, artifact_type, subject, size, image_bytes, annotations,
        platforms, pushed_by, pusher, pushed_at, created_at, pulls, pulled_at, puller)
      select ${id}, ${hex("a", n)}, 'application/vnd.oci.image.manifest.v1+json', '', '', 1000, 10000, '', 'linux/amd64', 'tok_a',
        'ci', ${at}, ${at}, 0, null, '' from (${numbers(IMAGES)}) as numbers`,
    sql`insert into registry_tags (repository_id, name, digest, moved_at)
      select ${id}, case when n < ${sql.lit(SAVED)} then 'bld_' else 'v' end || ${build}, ${hex("a", n)}, ${at}
      from (${numbers(IMAGES)}) as numbers`,
  ];
  for (const statement of statements) await statement.execute(db);
  if (kind === "postgres") await sql`analyze`.execute(db);
}
