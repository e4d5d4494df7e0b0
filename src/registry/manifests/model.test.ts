/**
 * Random pushes, deletes and restarts, each compared with a model that is a map of manifests and a map of tags:
 *
 * 1. Every tag and every digest answers what the model has, whoever asked for it before.
 * 2. The same pushes and deletes are refused as by the model: for a missing child, a manifest that an index names, a tag that
 *    never moves. A refusal changes nothing.
 * 3. In the end the database has the model's rows and no others, and each manifest's bytes have one reference.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { updateProject } from "#accounts/index.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { longer } from "#platform/testing/longer.ts";
import { digestOf } from "../testing/client.ts";
import { asManifest, makeImage, makePusher, OCI_IMAGE, OCI_INDEX } from "../testing/images.ts";
import { openTestRegistry } from "../testing/registry.ts";

const TAGS = ["a", "b", "v1"] as const;
const IMAGES = 3;
const PATTERN = "v*";
/** Images, then an index of each two of them, then an index of an index. */
const CHILDREN: readonly (readonly number[])[] = [[], [], [], [0, 1], [1, 2], [3]];
const ALL = CHILDREN.length;

const which = fc.nat(ALL - 1);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("put" as const), which, tags: fc.subarray([...TAGS]) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("untag" as const), tag: fc.constantFrom(...TAGS) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

class Model {
  readonly manifests = new Set<number>();
  readonly tags = new Map<string, number>();

  /** @returns whether it was done; "DENIED" or "MANIFEST_BLOB_UNKNOWN" */
  put(which: number, tags: readonly string[]): string {
    if (!CHILDREN[which]!.every((child) => this.manifests.has(child))) return "MANIFEST_BLOB_UNKNOWN";
    if (tags.some((tag) => this.#isFixed(tag) && this.tags.get(tag) !== which)) return "DENIED";
    this.manifests.add(which);
    for (const tag of tags) this.tags.set(tag, which);
    return "true";
  }
  delete(which: number): string {
    if (!this.manifests.has(which)) return "false";
    if ([...this.manifests].some((other) => CHILDREN[other]!.includes(which))) return "DENIED";
    const tags = [...this.tags].filter(([, of]) => of === which).map(([tag]) => tag);
    if (tags.some((tag) => this.#isFixed(tag))) return "DENIED";
    this.manifests.delete(which);
    for (const tag of tags) this.tags.delete(tag);
    return "true";
  }
  untag(tag: string): string {
    if (!this.tags.has(tag)) return "false";
    if (this.#isFixed(tag)) return "DENIED";
    this.tags.delete(tag);
    return "true";
  }
  #isFixed = (tag: string) => tag.startsWith("v") && this.tags.has(tag);
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. to 3.", async () => {
    const opened = await openTestRegistry(kind);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const pusher = await makePusher(opened, `org-${(run += 1)}`);
        const { projectId, person } = pusher;
        await updateProject(opened.accounts, person.caller, { projectId, immutableTags: [PATTERN] });
        const { grant } = pusher;
        const model = new Model();
        const made: { bytes: Buffer; digest: string; descriptor: object }[] = [];
        for (const children of CHILDREN) {
          if (made.length < IMAGES)
            made.push(await makeImage(opened, projectId, { layers: [`${run} ${made.length}`] }));
          else
            made.push(asManifest(OCI_INDEX, { manifests: children.map((child) => made[child]!.descriptor) }));
        }
        const manifests = () => opened.registry.manifests;
        const outcome = (doing: Promise<unknown>) =>
          doing.then(String, (error: { code?: string }) => error.code ?? String(error));
        for (const now of steps) {
          if (now.do === "restart") await opened.restart();
          if (now.do === "put") {
            const { digest, bytes } = made[now.which]!;
            const mediaType = now.which < IMAGES ? OCI_IMAGE : OCI_INDEX;
            const put = { reference: digest, bytes, mediaType, tags: now.tags };
            const putting = manifests()
              .put(grant, put)
              .then(() => true);
            expect(await outcome(putting)).toBe(model.put(now.which, now.tags));
          }
          if (now.do === "delete")
            expect(await outcome(manifests().remove(grant, made[now.which]!.digest))).toBe(
              model.delete(now.which),
            );
          if (now.do === "untag")
            expect(await outcome(manifests().remove(grant, now.tag))).toBe(model.untag(now.tag));
          for (const tag of TAGS)
            expect((await manifests().find(grant, tag))?.digest).toBe(
              made[model.tags.get(tag) ?? -1]?.digest,
            );
          for (const [at, { digest }] of made.entries())
            expect((await manifests().find(grant, digest)) !== undefined).toBe(model.manifests.has(at));
        }
        const { db } = opened.database;
        const mine = <Table extends "registry_manifests" | "registry_tags">(table: Table) =>
          db
            .selectFrom(table as "registry_tags")
            .select("digest")
            .where("repository_id", "=", projectId)
            .execute();
        const digests = [...model.manifests].map((at) => made[at]!.digest).sort();
        expect((await mine("registry_manifests")).map(({ digest }) => digest).sort()).toEqual(digests);
        expect(await mine("registry_tags")).toHaveLength(model.tags.size);
        const references = await db
          .selectFrom("registry_references")
          .select("manifest_digest")
          .distinct()
          .where("repository_id", "=", projectId)
          .execute();
        expect(references.map((row) => row.manifest_digest).sort()).toEqual(digests);
        const counted = await db
          .selectFrom("blobs")
          .select(["digest", "reference_count"])
          .where(
            "digest",
            "in",
            made.map(({ bytes }) => digestOf(bytes)),
          )
          .execute();
        const kept = counted.filter((row) => row.reference_count > 0);
        expect(kept.map((row) => row.digest).sort()).toEqual(digests);
        expect(kept.every((row) => row.reference_count === 1)).toBe(true);
      }),
      { numRuns: longer(12), endOnFailure: true },
    );
    await opened.close();
  }, 120_000);
});
