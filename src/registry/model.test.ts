/**
 * Against Maps, over any order of pushes, mounts, deletes, uses, sweeps, collections, restarts, and clocks that go back:
 * 1. After a sweep, exactly the expected content is there, and can be read.
 * 2. Each blob is counted as often as rows name it. When all is collected, there is one file for each large blob that is named
 *    and each part of an upload in progress, and nothing else.
 * 3. A step is refused if it would name something that is not there, or remove something that is named.
 */
import { readdirSync } from "node:fs";
import * as fc from "fast-check";
import { expect, describe, test } from "vitest";
import { readBlob } from "#platform/blobs/read-blob.ts";
import { INLINE_BYTES } from "#platform/blobs/limits.ts";
import { collectNow } from "#platform/testing/collect.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { longer } from "#platform/testing/longer.ts";
import { GRACE_MS, UPLOAD_MS, USE_EXACT_MS } from "./contract/limits.ts";
import { isSavedBuild } from "./contract/names.ts";
import type { Chunk, Grant } from "./contract/registry.ts";
import { RegistryError } from "./contract/registry-error.ts";
import { digestOf } from "./testing/client.ts";
import { asManifest, makePusher, OCI_CONFIG, OCI_IMAGE, OCI_INDEX, OCI_LAYER } from "./testing/images.ts";
import { openTestRegistry, type TestRegistry } from "./testing/registry.ts";

const RETENTION_MS = 3 * GRACE_MS;
const HOUR_MS = 60 * 60 * 1000;
const REPOSITORIES = ["acme/web", "other/api"] as const;
type RepositoryName = (typeof REPOSITORIES)[number];
const TAGS = ["1", "main", "bld_0000000001", "bld_0000000002"];

/** In the database, exactly at its limit, and in files. */
const BLOBS = [10, INLINE_BYTES, INLINE_BYTES + 1, 9_000].map((size, number) => {
  const content = Buffer.alloc(size, `${number}`);
  return { content, digest: digestOf(content), size };
});
const CONFIG = Buffer.from('{"os":"linux","architecture":"amd64"}');
const CONFIG_BLOB = { content: CONFIG, digest: digestOf(CONFIG), size: CONFIG.length };

interface Artifact {
  bytes: Buffer;
  digest: string;
  mediaType: string;
  blobs: (typeof BLOBS)[number][];
  children: string[];
  subject: string;
}

const descriptorOf = ({ digest, size }: { digest: string; size: number }, mediaType: string) => ({
  mediaType,
  digest,
  size,
});
const asDescriptor = ({ digest, bytes, mediaType }: Artifact) =>
  descriptorOf({ digest, size: bytes.length }, mediaType);

function makeImage(numbers: readonly number[], subject?: Artifact): Artifact {
  const layers = numbers.flatMap((number) => BLOBS[number] ?? []);
  const fields = {
    config: descriptorOf(CONFIG_BLOB, OCI_CONFIG),
    layers: layers.map((layer) => descriptorOf(layer, OCI_LAYER)),
    ...(subject && { subject: asDescriptor(subject) }),
  };
  const made = asManifest(OCI_IMAGE, fields);
  const blobs = [CONFIG_BLOB, ...layers];
  return { ...made, mediaType: OCI_IMAGE, blobs, children: [], subject: subject?.digest ?? "" };
}

function makeIndex(children: readonly Artifact[], subject?: Artifact): Artifact {
  const fields = {
    manifests: children.map(asDescriptor),
    ...(subject && { subject: asDescriptor(subject) }),
  };
  const digests = children.map(({ digest }) => digest);
  const subjectDigest = subject?.digest ?? "";
  return {
    ...asManifest(OCI_INDEX, fields),
    mediaType: OCI_INDEX,
    blobs: [],
    children: digests,
    subject: subjectDigest,
  };
}

function makeArtifacts(): Artifact[] {
  const images = [makeImage([0]), makeImage([0, 1, 2]), makeImage([2, 3]), makeImage([])];
  const index = makeIndex(images.slice(0, 2));
  const outer = makeIndex([index, images[3]!]);
  const signature = makeImage([3], images[0]);
  return [
    ...images,
    index,
    outer,
    signature,
    makeImage([1], signature),
    makeImage([0, 3], index),
    makeIndex([images[2]!], images[1]),
  ];
}

const ARTIFACTS = makeArtifacts();

/** The tag that cosign makes for an artifact of an image; on the image itself, or with another ending, it is an own tag. */
const attachedTag = (artifact: number, ending: string) =>
  `${ARTIFACTS[artifact]!.digest.replace(":", "-")}${ending}`;
const ALL_TAGS = [
  ...TAGS,
  attachedTag(0, ".sig"),
  attachedTag(1, ".att"),
  attachedTag(4, ""),
  attachedTag(6, ".sbom"),
  attachedTag(0, ".other"),
];

/** The digest that the tag says its manifest belongs to; "": none. */
function subjectOfTag(tag: string, digest: string): string {
  const [, hash, ending = ""] = /^sha256-([0-9a-f]{64})(\..*)?$/.exec(tag) ?? [];
  const isKnown = hash !== undefined && ["", ".sig", ".att", ".sbom"].includes(ending);
  return isKnown && `sha256:${hash}` !== digest ? `sha256:${hash}` : "";
}

type Step =
  | { do: "push"; to: RepositoryName; artifact: number; tag: string; hasBlobs: boolean }
  | { do: "upload" | "use" | "removeBlob" | "mount"; to: RepositoryName; blob: number }
  | { do: "begin"; to: RepositoryName }
  | { do: "untag"; to: RepositoryName; tag: string }
  | { do: "remove"; to: RepositoryName; artifact: number }
  | { do: "pass"; ms: number }
  | { do: "sweep" | "collect" | "restart" | "deleteProject" };

const to = fc.constantFrom(...REPOSITORIES);
const blob = fc.nat(BLOBS.length - 1);
const artifact = fc.nat(ARTIFACTS.length - 1);
const tag = fc.constantFrom(...ALL_TAGS);
const hours = fc.constantFrom(-2, 1, 12, 23, 24, 36, 72);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 48,
    arbitrary: fc.record({
      do: fc.constant("push" as const),
      to,
      artifact,
      tag: fc.oneof(tag, fc.constant("")),
      hasBlobs: fc.boolean(),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constantFrom("upload" as const, "use" as const, "removeBlob" as const, "mount" as const),
      to,
      blob,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("begin" as const), to }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant("untag" as const), to, tag }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant("remove" as const), to, artifact }) },
  { weight: 24, arbitrary: hours.map((count) => ({ do: "pass" as const, ms: count * HOUR_MS })) },
  {
    weight: 32,
    arbitrary: fc.record({
      do: fc.constantFrom<"sweep" | "collect" | "restart">("sweep", "collect", "restart"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "deleteProject" as const }) },
);

/** The oracle of one repository. */
class Repository {
  /** When they were last used. */
  readonly blobs = new Map<string, number>();
  readonly manifests = new Map<string, Artifact & { pushedAt: number }>();
  readonly tags = new Map<string, string>();
  readonly uploads = new Map<string, number>();
  isGone = false;

  isNamed(digest: string): boolean {
    const names = ({ blobs, children }: Artifact) =>
      children.includes(digest) || blobs.some((named) => named.digest === digest);
    return [...this.manifests.values()].some(names);
  }

  use(digest: string, now: number): void {
    this.blobs.set(digest, Math.max(now, this.blobs.get(digest) ?? now));
  }

  tagsOf = (digest: string) => [...this.tags].filter(([, named]) => named === digest).map(([name]) => name);

  removeManifest(digest: string): void {
    for (const name of this.tagsOf(digest)) this.tags.delete(name);
    this.manifests.delete(digest);
  }

  sweep(now: number): void {
    if (this.isGone) for (const all of [this.blobs, this.manifests, this.tags, this.uploads]) all.clear();
    for (const [id, startedAt] of this.uploads) if (startedAt <= now - UPLOAD_MS) this.uploads.delete(id);
    let former: number;
    do {
      former = this.manifests.size;
      for (const manifest of this.manifests.values()) this.sweepManifest(manifest, now);
    } while (this.manifests.size < former);
    for (const { digest, pushedAt } of this.manifests.values())
      if (pushedAt <= now - GRACE_MS)
        for (const name of this.tagsOf(digest)) {
          const subject = subjectOfTag(name, digest);
          if (subject !== "" && !this.manifests.has(subject)) this.tags.delete(name);
        }
    for (const [digest, usedAt] of this.blobs)
      if (!this.isNamed(digest) && usedAt <= now - GRACE_MS) this.blobs.delete(digest);
  }

  sweepManifest({ digest, pushedAt, subject }: Artifact & { pushedAt: number }, now: number): void {
    const tags = this.tagsOf(digest);
    const subjects = [subject, ...tags.map((name) => subjectOfTag(name, digest))];
    if (tags.some((name) => !isSavedBuild(name) && subjectOfTag(name, digest) === "")) return;
    if (pushedAt <= now - RETENTION_MS)
      for (const name of tags) if (isSavedBuild(name)) this.tags.delete(name);
    if (this.tagsOf(digest).some(isSavedBuild)) return;
    const isThere = subjects.some((of) => this.manifests.has(of));
    if (!this.isNamed(digest) && !isThere && pushedAt <= now - GRACE_MS) this.removeManifest(digest);
  }
}

interface System {
  test: TestRegistry;
  time: { now: number };
  grants: Record<RepositoryName, Grant>;
  models: Record<RepositoryName, Repository>;
}

async function openSystem(kind: (typeof testDatabaseKinds)[number]): Promise<System> {
  const time = { now: 1_800_000_000_000 };
  const fail = (message: string, fields?: object): never => {
    throw new Error(`${message} ${JSON.stringify(fields)}`);
  };
  const log = { debug() {}, info() {}, warn: fail, error: fail, writes: () => false, flush() {} };
  const test = await openTestRegistry(kind, { retentionMs: RETENTION_MS, clock: () => time.now, log });
  const web = await makePusher(test, "acme", "web");
  const api = await makePusher(test, "other", "api");
  return {
    test,
    time,
    grants: { "acme/web": web.grant, "other/api": api.grant },
    models: { "acme/web": new Repository(), "other/api": new Repository() },
  };
}

const chunkOf = (content: Buffer): Chunk => ({ read: async (take) => take([content]) });

async function upload(
  { test, time, grants, models }: System,
  to: RepositoryName,
  blob: (typeof BLOBS)[number],
) {
  await test.registry.uploads.put(grants[to], { digest: blob.digest, chunk: chunkOf(blob.content) });
  models[to].use(blob.digest, time.now);
}

/** @returns the error's code, "" without one */
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => {
      if (error instanceof RegistryError) return error.code;
      throw error;
    },
  );

async function push(system: System, { to, artifact, tag, hasBlobs }: Step & { do: "push" }): Promise<void> {
  const { test, time, grants, models } = system;
  const pushed = ARTIFACTS[artifact]!;
  if (hasBlobs) for (const blob of pushed.blobs) await upload(system, to, blob);
  const model = models[to];
  const { digest, bytes, mediaType } = pushed;
  const isComplete =
    pushed.blobs.every((blob) => model.blobs.has(blob.digest)) &&
    pushed.children.every((child) => model.manifests.has(child));
  const reference = tag || digest;
  const code = await codeOf(test.registry.manifests.put(grants[to], { reference, mediaType, bytes }));
  expect(code).toBe(isComplete ? "" : "MANIFEST_BLOB_UNKNOWN");
  if (!isComplete) return;
  model.manifests.set(digest, { ...pushed, pushedAt: time.now });
  if (tag) model.tags.set(tag, digest);
}

async function change(
  { test, time, grants, models }: System,
  step: Exclude<Step, { do: "push" | "upload" | "pass" | "sweep" | "collect" | "restart" | "deleteProject" }>,
): Promise<void> {
  const [grant, model] = [grants[step.to], models[step.to]];
  const { uploads, repositoryBlobs, manifests } = test.registry;
  const { digest } =
    "blob" in step ? BLOBS[step.blob]! : "artifact" in step ? ARTIFACTS[step.artifact]! : { digest: "" };
  switch (step.do) {
    case "begin": {
      const { id } = await uploads.begin(grant);
      await uploads.append(grant, id, chunkOf(BLOBS[3]!.content));
      return void model.uploads.set(id, time.now);
    }
    case "use": {
      const usedAt = model.blobs.get(digest);
      expect((await repositoryBlobs.find(grant, digest)) !== undefined).toBe(usedAt !== undefined);
      if (usedAt !== undefined && time.now - usedAt > USE_EXACT_MS) model.use(digest, time.now);
      return;
    }
    case "removeBlob": {
      const isNamed = model.isNamed(digest);
      expect(await codeOf(repositoryBlobs.remove(grant, digest))).toBe(isNamed ? "DENIED" : "");
      if (!isNamed) model.blobs.delete(digest);
      return;
    }
    case "mount": {
      const from = REPOSITORIES.find((name) => name !== step.to)!;
      const { actor } = grants[from];
      const caller = { actor, scopes: null };
      const isThere = models[from].blobs.has(digest) && !models[from].isGone;
      expect(await repositoryBlobs.mount(caller, grant, { digest, from })).toBe(isThere);
      return isThere ? model.use(digest, time.now) : undefined;
    }
    case "untag":
      expect(await manifests.remove(grant, step.tag)).toBe(model.tags.has(step.tag));
      return void model.tags.delete(step.tag);
    default: {
      const isNamed = model.manifests.has(digest) && model.isNamed(digest);
      expect(await codeOf(manifests.remove(grant, digest))).toBe(isNamed ? "DENIED" : "");
      if (!isNamed) model.removeManifest(digest);
    }
  }
}

async function run(system: System, step: Step): Promise<void> {
  const { test, time, models } = system;
  switch (step.do) {
    case "push":
      return push(system, step);
    case "upload":
      return upload(system, step.to, BLOBS[step.blob]!);
    case "pass":
      return void (time.now += step.ms);
    case "sweep":
      return sweep(system);
    case "collect":
      return void (await collectNow(test.collector));
    case "restart":
      return test.restart();
    case "deleteProject": {
      const { id } = system.grants["other/api"].repository;
      await test.database.db.deleteFrom("projects").where("id", "=", id).execute();
      models["other/api"].isGone = true;
      // The name that is remembered for a second is forgotten.
      return test.restart();
    }
    default:
      return change(system, step);
  }
}

async function sweep({ test, time, grants, models }: System): Promise<void> {
  await test.registry.sweep();
  const { db } = test.database;
  const there = await Promise.all([
    db.selectFrom("registry_blobs").select(["repository_id", "digest as name"]).execute(),
    db.selectFrom("registry_manifests").select(["repository_id", "digest as name"]).execute(),
    db.selectFrom("registry_tags").select(["repository_id", "name"]).execute(),
    db.selectFrom("registry_uploads").select(["repository_id", "id as name"]).execute(),
  ]);
  for (const name of REPOSITORIES) {
    const model = models[name];
    model.sweep(time.now);
    const [blobs, manifests, tags, uploads] = there.map((rows) =>
      rows.filter((row) => row.repository_id === grants[name].repository.id).map((row) => row.name),
    );
    expect({
      blobs: blobs?.toSorted(),
      manifests: manifests?.toSorted(),
      tags: tags?.toSorted(),
      uploads: uploads?.toSorted(),
    }).toEqual({
      blobs: [...model.blobs.keys()].toSorted(),
      manifests: [...model.manifests.keys()].toSorted(),
      tags: [...model.tags.keys()].toSorted(),
      uploads: [...model.uploads.keys()].toSorted(),
    });
  }
}

async function checkReadable({ test, grants, models }: System): Promise<void> {
  for (const name of REPOSITORIES) {
    const [grant, model] = [grants[name], models[name]];
    for (const { digest, bytes } of model.manifests.values())
      expect(bytes.equals((await test.registry.manifests.find(grant, digest))!.bytes)).toBe(true);
    for (const [tag, digest] of model.tags)
      expect((await test.registry.manifests.find(grant, tag))?.digest).toBe(digest);
    for (const digest of model.blobs.keys()) {
      const found = await test.registry.repositoryBlobs.find(grant, digest);
      const bytes = await readBlob(test.blobs, found!, { maxBytes: 100_000 });
      expect(digestOf(bytes!)).toBe(digest);
    }
  }
}

async function checkCounts({ test, models }: System): Promise<void> {
  const { db } = test.database;
  const all = Object.values(models);
  const named = all.flatMap(({ blobs, manifests }) => [...blobs.keys(), ...manifests.keys()]);
  const expected = [...Map.groupBy(named, (digest) => digest)].map(([digest, times]) => [
    digest,
    times.length,
  ]);
  const counted = await db.selectFrom("blobs").select(["digest", "reference_count"]).execute();
  expect(counted.map((row) => [row.digest, row.reference_count]).toSorted()).toEqual(expected.toSorted());
  const kept = await db.selectFrom("blobs").select("place").where("place", "is not", null).execute();
  const parts = await db
    .selectFrom("registry_upload_parts")
    .select("place")
    .where("place", "is not", null)
    .execute();
  const files = readdirSync(test.folder, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  expect(files.map((file) => file.name).toSorted()).toEqual(
    [...kept, ...parts].map(({ place }) => place).toSorted(),
  );
  const large = BLOBS.filter(({ digest, size }) => size > INLINE_BYTES && named.includes(digest));
  expect(kept).toHaveLength(large.length);
  expect(parts).toHaveLength(all.reduce((sum, { uploads }) => sum + uploads.size, 0));
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. to 3. any order of things", { timeout: longer(600_000) }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
        const system = await openSystem(kind);
        try {
          for (const one of steps) await run(system, one);
          await sweep(system);
          await collectNow(system.test.collector);
          await checkReadable(system);
          await checkCounts(system);
        } finally {
          await system.test.close();
        }
      }),
      { numRuns: longer(kind === "sqlite" ? 60 : 15) },
    );
  });
});
