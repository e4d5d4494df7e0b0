/**
 * 1. A saved build loses its tag and is removed when it is older than the retention, with everything that only it named; one
 *    with a tag of its own stays until it loses that tag. A tag that only looks like the id of a build is a user's own.
 * 2. A manifest without a tag is removed a day after its push, unless an existing index names it or its subject exists; when
 *    these are removed it is removed in the same sweep. The announced removals happen at the announced times. Manifests that
 *    cosign tags stay as long as their image, unless they have a tag of their own; then they lose cosign's tag.
 * 3. A blob that no manifest names is removed a day after its last use.
 * 4. Nothing is left of a repository whose project is gone, nor of content pulled through for an organization that is gone.
 * 5. The next sweeps do not check content that is kept.
 * 6. A sweep ends between two portions, and does nothing while another server sweeps.
 * 7. Removed content is immediately no longer found.
 */
import { describe, expect, test } from "vitest";
import { collectNow } from "#platform/testing/collect.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { takeLease } from "#platform/database/lease.ts";
import { sql } from "kysely";
import * as fc from "fast-check";
import { inPortions } from "./in-portions.ts";
import { GRACE_MS, LOOK_AGAIN_MS, SWEEP_EVERY_MS, SWEPT_BLOBS, USE_EXACT_MS } from "../contract/limits.ts";
import { isAttachedTag, isSavedBuild } from "../contract/names.ts";
import { expiresAt, isAttachedIn, isSavedBuildIn } from "./retention.ts";
import { addBlob, asManifest, makeImage, makePusher, OCI_IMAGE, OCI_INDEX } from "../testing/images.ts";
import { openTestRegistry, type TestRegistry } from "../testing/registry.ts";

const RETENTION_MS = 3 * GRACE_MS;
const BUILD = "bld_u9t4hb6w1r";

async function open(kind: (typeof testDatabaseKinds)[number]) {
  const time = { now: 1_800_000_000_000 };
  const registry = await openTestRegistry(kind, { retentionMs: RETENTION_MS, clock: () => time.now });
  const pusher = await makePusher(registry);
  const { grant } = pusher;
  return {
    ...pusher,
    time,
    test: registry,
    id: grant.repository.id,
    sweep: () => registry.registry.sweep(),
    async push(reference: string, image: { bytes: Uint8Array; descriptor: { mediaType: string } }) {
      const { mediaType } = image.descriptor;
      await registry.registry.manifests.put(grant, { reference, mediaType, bytes: image.bytes });
    },
    async isThere(reference: string) {
      return (await registry.registry.manifests.find(grant, reference)) !== undefined;
    },
    rows: () => countRows(registry),
    close: () => registry.close(),
  };
}

async function countRows({ database: { db } }: TestRegistry) {
  const tables = ["registry_blobs", "registry_manifests", "registry_references", "registry_tags"] as const;
  const counts = tables.map(async (table) => {
    const row = await db
      .selectFrom(table)
      .select((query) => query.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return row.count;
  });
  return Promise.all(counts);
}

async function countReferences({ database: { db } }: TestRegistry): Promise<number> {
  const row = await db
    .selectFrom("blobs")
    .select((query) => query.fn.sum<number | null>("reference_count").as("sum"))
    .executeTakeFirstOrThrow();
  return row.sum ?? 0;
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. saved builds", async () => {
    const { test, time, id, grant, push, sweep, isThere, rows, close } = await open(kind);
    const saved = await makeImage(test, id, { layers: ["saved", "both"] });
    const tagged = await makeImage(test, id, { layers: ["tagged", "both"] });
    const similar = await makeImage(test, id, { layers: ["similar"] });
    await push(BUILD, saved);
    await push("bld_0000000000", tagged);
    await push("1.4", tagged);
    await push("bld_U9T4HB6W1R", similar);
    time.now += RETENTION_MS - 1;
    await sweep();
    expect(await rows()).toEqual([5, 3, 8, 4]);
    time.now += 1;
    await sweep();
    expect(
      await Promise.all([BUILD, saved.digest, "1.4", "bld_0000000000", "bld_U9T4HB6W1R"].map(isThere)),
    ).toEqual([false, false, true, true, true]);
    // The layer that both have is there, and the config, which all have.
    expect(await rows()).toEqual([4, 2, 5, 3]);
    expect(await countReferences(test)).toBe(6);
    await test.registry.manifests.remove(grant, "1.4");
    await sweep();
    expect(await isThere("bld_0000000000")).toBe(false);
    expect(await rows()).toEqual([2, 1, 2, 1]);
    expect(await countReferences(test)).toBe(3);
    await close();
  });

  test("2. indexes and subjects", async () => {
    const { test, time, id, push, sweep, isThere, rows, close } = await open(kind);
    const child = await makeImage(test, id);
    const index = asManifest(OCI_INDEX, { manifests: [child.descriptor] });
    const { config, layers } = child;
    const signature = asManifest(OCI_IMAGE, {
      config: { mediaType: "application/vnd.oci.empty.v1+json", ...config },
      layers: layers.map((layer) => ({ mediaType: "text/plain", ...layer })),
      subject: index.descriptor,
    });
    const early = asManifest(OCI_IMAGE, {
      config: { mediaType: "application/vnd.oci.empty.v1+json", ...config },
      layers: [],
      subject: { ...index.descriptor, digest: `sha256:${"0".repeat(64)}` },
    });
    await push(child.digest, child);
    await push("multi", index);
    await push(signature.digest, signature);
    await push(early.digest, early);
    time.now += GRACE_MS - 1;
    await sweep();
    expect((await rows())[1]).toBe(4);
    time.now += 1;
    await sweep();
    expect(await Promise.all([child, index, signature, early].map(({ digest }) => isThere(digest)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    // Moved to another image: nothing keeps the index, so nothing keeps the others.
    const other = await makeImage(test, id, { layers: ["another"] });
    await push("multi", other);
    await sweep();
    expect(await isThere(other.digest)).toBe(true);
    expect(await rows()).toEqual([2, 1, 2, 1]);
    expect(await countReferences(test)).toBe(3);
    await close();
  });

  test("2. what cosign tags", async () => {
    const { test, time, id, push, grant, sweep, isThere, rows, close } = await open(kind);
    const image = await makeImage(test, id, { layers: ["image"] });
    const of = image.digest.replace(":", "-");
    const names = [`${of}.sig`, `${of}.att`, `${of}.sbom`];
    const [signature, statement, bill] = await Promise.all(
      names.map((layer) => makeImage(test, id, { layers: [layer] })),
    );
    await push("1.4", image);
    await push(names[0]!, signature!);
    await push(names[1]!, statement!);
    await push(names[2]!, bill!);
    // A second signature replaces the first; the bill also has a name of its own.
    const again = await makeImage(test, id, { layers: ["two signatures"] });
    await push(names[0]!, again);
    await push("bill", bill!);
    const ofSignature = await makeImage(test, id, { layers: ["of the signature"] });
    await push(`${again.digest.replace(":", "-")}.sig`, ofSignature);
    // Its own digest as a tag, as some programs keep an image.
    const self = await makeImage(test, id, { layers: ["kept by its own digest"] });
    await push(self.digest.replace(":", "-"), self);
    time.now += 9 * GRACE_MS;
    await sweep();
    const all = [image, again, statement, bill, ofSignature, self].map((each) => each!.digest);
    const there = () => Promise.all([...all, signature!.digest, ...names].map(isThere));
    expect(await there()).toEqual([...all.map(() => true), false, true, true, true]);
    await test.registry.manifests.remove(grant, "1.4");
    await sweep();
    expect(await there()).toEqual([false, false, false, true, false, true, false, false, false, false]);
    expect(await isThere("bill")).toBe(true);
    // For the two that are left: manifests, their layers, and the config that both have.
    expect((await rows())[1]).toBe(2);
    await close();
  });

  test("3. blobs", async () => {
    const { test, time, id, push, grant, sweep, rows, close } = await open(kind);
    const image = await makeImage(test, id);
    await push("latest", image);
    const [idle, used] = [await addBlob(test, id, "idle"), await addBlob(test, id, "used")];
    time.now += GRACE_MS - USE_EXACT_MS;
    await sweep();
    expect(await test.registry.repositoryBlobs.find(grant, used.digest)).toBeDefined();
    time.now += USE_EXACT_MS;
    await sweep();
    expect(await test.registry.repositoryBlobs.find(grant, idle.digest)).toBeUndefined();
    expect(await rows()).toEqual([3, 1, 2, 1]);
    time.now += GRACE_MS - USE_EXACT_MS;
    await sweep();
    expect(await rows()).toEqual([2, 1, 2, 1]);
    // Dropped blobs are collected, with their rows, here or by the collector that was woken.
    await collectNow(test.collector);
    const digests = [idle.digest, used.digest];
    const left = test.database.db.selectFrom("blobs").select("digest").where("digest", "in", digests);
    expect(await left.execute()).toEqual([]);
    await close();
  });

  test("4. projects and organizations that are gone", async () => {
    const { test, id, push, sweep, rows, grant, close } = await open(kind);
    const other = await makePusher(test, "other", "kept");
    await push("latest", await makeImage(test, id));
    await push(BUILD, await makeImage(test, id, { layers: ["another"] }));
    const many = SWEPT_BLOBS + 1;
    for (let number = 0; number < many; number += 1) await addBlob(test, id, `${number}`);
    await test.registry.uploads.begin(grant);
    const kept = await makeImage(test, other.grant.repository.id);
    await test.registry.manifests.put(other.grant, {
      reference: "latest",
      mediaType: OCI_IMAGE,
      bytes: kept.bytes,
    });
    const mirror = {
      id: "rep_gone",
      organization_id: "org_gone",
      mirror: "docker.io/library/alpine",
      created_at: 0,
    };
    const everybodys = { ...mirror, id: "rep_all", organization_id: "" };
    await test.database.db.insertInto("registry_repositories").values([mirror, everybodys]).execute();
    await addBlob(test, mirror.id, "of alpine");
    expect(await rows()).toEqual([many + 6, 3, 6, 3]);
    await test.database.db.deleteFrom("projects").where("id", "=", id).execute();
    await sweep();
    expect(await rows()).toEqual([2, 1, 2, 1]);
    const left = await test.database.db
      .selectFrom("registry_repositories")
      .select("id")
      .orderBy("id")
      .execute();
    expect(left.map((row) => row.id)).toEqual([other.grant.repository.id, everybodys.id]);
    expect(await test.database.db.selectFrom("registry_uploads").selectAll().execute()).toEqual([]);
    expect(await countReferences(test)).toBe(3);
    await close();
  });

  test("5. what is kept", async () => {
    const { test, time, id, push, sweep, close } = await open(kind);
    for (const layer of ["1", "2", "3"]) await push(layer, await makeImage(test, id, { layers: [layer] }));
    await push(BUILD, await makeImage(test, id, { layers: ["saved"] }));
    const due = async () => {
      const { db } = test.database;
      const tables = ["registry_manifests", "registry_blobs"] as const;
      const rows = tables.map((table) =>
        db.selectFrom(table).select("digest").where("sweep_at", "<=", time.now).execute(),
      );
      return (await Promise.all(rows)).flat().length;
    };
    expect(await due()).toBe(4 + 5);
    await sweep();
    for (const hours of [1, 2, 20]) {
      time.now += hours * SWEEP_EVERY_MS;
      expect(await due()).toBe(0);
    }
    // Even without any report, it is checked again.
    time.now += LOOK_AGAIN_MS;
    expect(await due()).toBe(4 + 5);
    await close();
  });

  test("6. another server, and the end", async () => {
    const { test, time, id, sweep, rows, close } = await open(kind);
    await addBlob(test, id, "idle");
    time.now += GRACE_MS;
    const lease = { name: "registry.sweep", holder: "another", now: time.now, lastsMs: 60_000 };
    await takeLease(test.database.db, lease);
    await sweep();
    expect((await rows())[0]).toBe(1);
    time.now += lease.lastsMs;
    await sweep();
    expect((await rows())[0]).toBe(0);
    const ending = new AbortController();
    let steps = 0;
    const step = async () => {
      steps += 1;
      if (steps === 3) ending.abort();
      return true;
    };
    await inPortions(step, ending.signal);
    expect(steps).toBe(3);
    await close();
  });

  test("7. found before", async () => {
    const { test, time, id, push, sweep, isThere, close } = await open(kind);
    const image = await makeImage(test, id);
    await push(BUILD, image);
    time.now += RETENTION_MS;
    expect([await isThere(BUILD), await isThere(image.digest)]).toEqual([true, true]);
    await sweep();
    expect([await isThere(BUILD), await isThere(image.digest)]).toEqual([false, false]);
    await close();
  });

  test("2. tags of what belongs to an image are the same to the database", async () => {
    const { test, close } = await open(kind);
    const hash = fc.oneof(
      fc.constantFrom("a".repeat(64), "b".repeat(64)),
      fc.stringMatching(/^[0-9a-g]{62,66}$/),
    );
    const ending = fc.constantFrom("", ".sig", ".att", ".sbom", ".SIG", ".sigs", ".imgpkg", "-sig", ".");
    const prefix = fc.constantFrom("sha256-", "sha256-", "sha512-", "SHA256-", "");
    const tag = fc.tuple(prefix, hash, ending).map((parts) => parts.join(""));
    const digest = fc.constantFrom("a", "c").map((digit) => `sha256:${digit.repeat(64)}`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(tag, digest), { minLength: 1 }), async (pairs) => {
        for (const [name, of] of pairs) {
          const { rows } = await sql<{ is: unknown }>`
            with tag as (select cast(${name} as text) as name, cast(${of} as text) as digest)
            select ${isAttachedIn("tag")} as "is" from tag`.execute(test.database.db);
          expect([name, of, Boolean(rows[0]?.is)]).toEqual([name, of, isAttachedTag(name, of)]);
        }
      }),
      { numRuns: 50 },
    );
    await close();
  });

  test("1. ids of builds are the same to the database", async () => {
    const { test, close } = await open(kind);
    const part = fc.stringMatching(/^[a-zA-Z0-9_.-]{0,12}$/);
    const name = fc.oneof(
      part,
      fc.tuple(fc.constantFrom("bld_", "BLD_", "bld-"), part).map((parts) => parts.join("")),
      fc.stringMatching(/^bld_[0-9a-z]{10}$/),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1 }), async (names) => {
        for (const each of names) {
          const { rows } = await sql<{
            is: unknown;
          }>`select ${isSavedBuildIn(sql<string>`cast(${each} as text)`)} as "is"`.execute(test.database.db);
          expect([each, Boolean(rows[0]?.is)]).toEqual([each, isSavedBuild(each)]);
        }
      }),
      { numRuns: 50 },
    );
    await close();
  });
});

test("2. when an image goes", () => {
  const bare = { pushedAt: 1000, hasOwnTag: false, hasSavedTag: false, isNamed: false };
  expect(expiresAt(bare, RETENTION_MS)).toBe(1000 + GRACE_MS);
  expect(expiresAt({ ...bare, hasSavedTag: true }, RETENTION_MS)).toBe(1000 + RETENTION_MS);
  expect(expiresAt({ ...bare, hasSavedTag: true }, GRACE_MS / 2)).toBe(1000 + GRACE_MS);
  expect(expiresAt({ ...bare, hasSavedTag: true, hasOwnTag: true }, RETENTION_MS)).toBeNull();
  expect(expiresAt({ ...bare, isNamed: true }, RETENTION_MS)).toBeNull();
});
