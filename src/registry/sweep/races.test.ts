/**
 * Pushes during a sweep:
 * 1. An image whose blobs have been idle for a day is refused, or has all of them.
 * 2. An index whose manifests nothing keeps is refused, or has all of them, each with all of its blobs.
 * 3. A blob that was found, or mounted, is there afterwards.
 */
import { describe, expect, test } from "vitest";
import { collectNow } from "#platform/testing/collect.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { GRACE_MS } from "../contract/limits.ts";
import { RegistryError } from "../contract/registry-error.ts";
import { addBlob, asManifest, makeImage, makePusher, OCI_IMAGE, OCI_INDEX } from "../testing/images.ts";
import { openTestRegistry, type TestRegistry } from "../testing/registry.ts";

const ROUNDS = 8;
/** Until each outcome has been seen. */
const MOST_ROUNDS = 200;
const IMAGES = 12;

/** At any time while a sweep runs. */
const sometime = async () => {
  const turns = Math.floor(Math.random() * 40);
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

async function open(kind: (typeof testDatabaseKinds)[number]) {
  const time = { now: 1_800_000_000_000 };
  const fail = (message: string): never => {
    throw new Error(message);
  };
  const log = { debug() {}, info() {}, warn: fail, error: fail, writes: () => false, flush() {} };
  const test = await openTestRegistry(kind, { clock: () => time.now, log });
  const { grant } = await makePusher(test);
  const put = (reference: string, mediaType: string, bytes: Buffer) =>
    test.registry.manifests.put(grant, { reference, mediaType, bytes });
  return { test, time, grant, put, id: grant.repository.id };
}

/** @returns whether it was pushed */
const isPushed = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof RegistryError && error.code === "MANIFEST_BLOB_UNKNOWN") return false;
      throw error;
    },
  );

/** References to missing rows, and blobs for which a repository has a row and the store has none. */
async function findBroken({ database: { db } }: TestRegistry): Promise<string[]> {
  const references = await db
    .selectFrom("registry_references as reference")
    .leftJoin("registry_blobs as blob", (join) =>
      join
        .onRef("blob.repository_id", "=", "reference.repository_id")
        .onRef("blob.digest", "=", "reference.digest"),
    )
    .leftJoin("registry_manifests as manifest", (join) =>
      join
        .onRef("manifest.repository_id", "=", "reference.repository_id")
        .onRef("manifest.digest", "=", "reference.digest"),
    )
    .select("reference.digest")
    .where("blob.digest", "is", null)
    .where("manifest.digest", "is", null)
    .execute();
  const blobs = await db
    .selectFrom("registry_blobs")
    .leftJoin("blobs", "blobs.digest", "registry_blobs.digest")
    .select("registry_blobs.digest")
    .where("blobs.digest", "is", null)
    .execute();
  return [...references, ...blobs].map(({ digest }) => digest);
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. and 2. pushes", { timeout: 120_000 }, async () => {
    const { test, time, put, id } = await open(kind);
    const counted = { pushed: 0, refused: 0 };
    const isProved = () => Math.min(counted.pushed, counted.refused) > 0;
    for (let round = 0; round < ROUNDS || (!isProved() && round < MOST_ROUNDS); round += 1) {
      const bases = await Promise.all(
        Array.from({ length: IMAGES }, async (_, number) => {
          const image = await makeImage(test, id, { layers: [`${round} ${number}`, "of all"] });
          // Every other one is there already, without a tag; the index needs it.
          if (number % 2 === 0) await put(image.digest, OCI_IMAGE, image.bytes);
          return image;
        }),
      );
      time.now += GRACE_MS;
      const pushes = bases.map(async (image, number) => {
        await sometime();
        const index = asManifest(OCI_INDEX, { manifests: [image.descriptor] });
        return number % 2 === 0
          ? isPushed(put(`index-${round}-${number}`, OCI_INDEX, index.bytes))
          : isPushed(put(`image-${round}-${number}`, OCI_IMAGE, image.bytes));
      });
      const [, ...all] = await Promise.all([test.registry.sweep(), ...pushes]);
      for (const isOne of all) counted[isOne ? "pushed" : "refused"] += 1;
      expect(await findBroken(test)).toEqual([]);
    }
    // Both have happened, or nothing was proved.
    expect(isProved()).toBe(true);
    await test.close();
  });

  test("3. uses", { timeout: 120_000 }, async () => {
    const { test, time, id, grant } = await open(kind);
    const other = await makePusher(test, "other", "api");
    const { actor } = grant;
    const counted = { used: 0, gone: 0 };
    const isProved = () => Math.min(counted.used, counted.gone) > 0;
    for (let round = 0; round < ROUNDS || (!isProved() && round < MOST_ROUNDS); round += 1) {
      const added = Array.from({ length: IMAGES }, (_, number) => addBlob(test, id, `${round} ${number}`));
      const blobs = await Promise.all(added);
      time.now += GRACE_MS;
      const uses = blobs.map(async ({ digest }, number) => {
        await sometime();
        const { repositoryBlobs } = test.registry;
        const isMount = number % 2 === 0;
        const isUsed = isMount
          ? await repositoryBlobs.mount({ actor, scopes: null }, other.grant, { digest, from: "acme/web" })
          : (await repositoryBlobs.find(grant, digest)) !== undefined;
        counted[isUsed ? "used" : "gone"] += 1;
        return isUsed ? { repository: isMount ? other.grant : grant, digest } : undefined;
      });
      const [, ...used] = await Promise.all([test.registry.sweep(), ...uses]);
      await collectNow(test.collector);
      for (const each of used) {
        const found = each && (await test.registry.repositoryBlobs.find(each.repository, each.digest));
        expect(found?.digest).toBe(each?.digest);
      }
      expect(await findBroken(test)).toEqual([]);
    }
    expect(isProved()).toBe(true);
    await test.close();
  });
});
