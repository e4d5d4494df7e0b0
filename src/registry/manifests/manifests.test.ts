/**
 * 1. A stored manifest is found by its tag and by its digest, byte for byte, also by the next process and with sha512.
 * 2. What a manifest names must be in the same repository, in the size that it says; layers that must not be distributed and
 *    subjects may be missing.
 * 3. Its size, its platforms, its type, its annotations and its last pusher are known.
 * 4. Deleting removes a tag, or a manifest with its tags and its bytes; a manifest that an index names stays.
 * 5. A manifest whose bytes are lost counts as missing, and its next push repairs it.
 * 6. Tags come page by page in the order of their bytes; referrers in that of their digests, filtered by their type.
 * 7. A tag that never moves can be pushed again unchanged, and neither moved nor deleted, in any way.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { updateProject } from "#accounts/index.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { Grant, PutManifest } from "../contract/registry.ts";
import { digestOf } from "../testing/client.ts";
import {
  addBlob,
  asManifest,
  makeImage,
  makePusher,
  OCI_CONFIG,
  OCI_IMAGE,
  OCI_INDEX,
  type TestPusher,
} from "../testing/images.ts";
import { openTestRegistry, type TestRegistry } from "../testing/registry.ts";

describe.each(testDatabaseKinds)("%s", (kind) => {
  let opened: TestRegistry;
  let pusher: TestPusher;
  let grant: Grant;
  const time = { now: Date.parse("2026-11-22T00:00:00Z") };

  beforeEach(async () => {
    opened = await openTestRegistry(kind, { clock: () => time.now });
    pusher = await makePusher(opened);
    ({ grant } = pusher);
  });
  afterEach(() => opened.close());

  const manifests = () => opened.registry.manifests;
  const put = (
    reference: string,
    bytes: Uint8Array,
    mediaType = OCI_IMAGE,
    more: Partial<PutManifest> = {},
  ) => manifests().put(grant, { reference, bytes, mediaType, ...more });
  const rowOf = (digest: string) =>
    opened.database.db
      .selectFrom("registry_manifests")
      .selectAll()
      .where("digest", "=", digest)
      .executeTakeFirstOrThrow();
  const referencesOf = async (digest: string) => {
    const query = opened.database.db
      .selectFrom("blobs")
      .select("reference_count")
      .where("digest", "=", digest);
    return (await query.executeTakeFirst())?.reference_count ?? null;
  };
  const foundBytes = async (reference: string) => {
    const found = await manifests().find(grant, reference);
    return found && Buffer.from(found.bytes).toString();
  };
  /** `MANIFEST_INVALID: …` */
  const refusal = (doing: Promise<unknown>) =>
    doing.then(
      () => "nothing was refused",
      (error: Error & { code?: string; reason?: string }) =>
        `${error.code ?? error.reason}: ${error.message}`,
    );

  test("1. by tag and by digest, and after a restart", async () => {
    const image = await makeImage(opened, pusher.projectId);
    // Too large to be kept in the database.
    const large = await makeImage(opened, pusher.projectId, { annotations: { note: "n".repeat(20_000) } });
    expect(await put("1.4", image.bytes)).toEqual({ digest: image.digest, subject: "" });
    await put("large", large.bytes);
    await put("1.4", image.bytes);
    const sha512 = digestOf(image.bytes, "sha512");
    expect(await put(sha512, image.bytes, OCI_IMAGE, { tags: ["long", "longer"] })).toMatchObject({
      digest: sha512,
    });
    for (const isRestarted of [false, true]) {
      if (isRestarted) await opened.restart();
      for (const reference of ["1.4", image.digest, "long", "longer", sha512, "1.4"]) {
        expect(await foundBytes(reference), reference).toBe(String(image.bytes));
        const isLong = /long|512/.test(reference);
        expect(await manifests().find(grant, reference)).toMatchObject({
          digest: isLong ? sha512 : image.digest,
          mediaType: OCI_IMAGE,
        });
      }
      expect(await foundBytes("large")).toBe(String(large.bytes));
      for (const missing of [
        "1.5",
        digestOf("x"),
        "..",
        "sha256:1",
        "md5:00",
        "a:b",
        "x".repeat(129),
        "a\0b",
      ])
        expect(await manifests().find(grant, missing), missing).toBeUndefined();
    }
    // One reference for the row, however often it was pushed.
    expect(await referencesOf(image.digest)).toBe(1);
    expect((await rowOf(image.digest)).pushed_by).toMatch(/^tok_/);
  });

  test("1. a tag moves at once", async () => {
    const [first, second] = [
      await makeImage(opened, pusher.projectId, { layers: ["1"] }),
      await makeImage(opened, pusher.projectId, { layers: ["2"] }),
    ];
    await put("latest", first.bytes);
    expect(await foundBytes("latest")).toBe(String(first.bytes));
    await put("latest", second.bytes);
    expect(await foundBytes("latest")).toBe(String(second.bytes));
    expect(await foundBytes(first.digest)).toBe(String(first.bytes));
    await manifests().remove(grant, "latest");
    expect(await foundBytes("latest")).toBeUndefined();
    expect(await foundBytes(second.digest)).toBe(String(second.bytes));
  });

  test("2. what it names", async () => {
    const { projectId } = pusher;
    const config = { mediaType: OCI_CONFIG, ...(await addBlob(opened, projectId, "{}")) };
    const other = await makePusher(opened, "evil");
    const theirs = { mediaType: "x/y", ...(await addBlob(opened, other.projectId, "secret")) };
    const layer = { mediaType: "x/y", ...(await addBlob(opened, projectId, "layer")) };
    const image = (layers: object[], more: object = {}) =>
      asManifest(OCI_IMAGE, { config, layers, ...more }).bytes;
    expect(await refusal(put("a", image([layer, theirs])))).toBe(
      `MANIFEST_BLOB_UNKNOWN: layers[1] names the blob ${theirs.digest}, which is not in acme/web; push it there first`,
    );
    expect(await refusal(put("a", image([{ ...layer, size: 4 }])))).toMatch(
      /^MANIFEST_INVALID: layers\[0\].size is 4/,
    );
    const child = await makeImage(opened, other.projectId);
    await opened.registry.manifests.put(other.grant, {
      reference: "a",
      bytes: child.bytes,
      mediaType: OCI_IMAGE,
    });
    const index = asManifest(OCI_INDEX, { manifests: [child.descriptor] });
    expect(await refusal(put("a", index.bytes, OCI_INDEX))).toMatch(
      /^MANIFEST_BLOB_UNKNOWN: manifests\[0\] names the manifest/,
    );
    expect(await foundBytes("a")).toBeUndefined();

    const nondistributable = "application/vnd.oci.image.layer.nondistributable.v1.tar+gzip";
    const elsewhere = [
      { mediaType: nondistributable, digest: digestOf("windows"), size: 123_456 },
      { mediaType: "x/y", digest: digestOf("cdn"), size: 1, urls: ["https://cdn.example/layer"] },
    ];
    const subject = { mediaType: OCI_IMAGE, digest: digestOf("not there"), size: 9 };
    const { digest } = await put("b", image([layer, ...elsewhere], { subject })).then((answer) => {
      expect(answer.subject).toBe(subject.digest);
      return answer;
    });
    expect((await rowOf(digest)).image_bytes).toBe(config.size + layer.size);
    // The same image, pushed with a wrong digest.
    expect(await refusal(put(digestOf("x"), image([layer])))).toMatch(/^digest: /);
  });

  test("3. what is known of it", async () => {
    const { projectId } = pusher;
    const amd = await makeImage(opened, projectId, { layers: ["base", "amd", "base"] });
    const arm = await makeImage(opened, projectId, { layers: ["base", "arm"], platform: "linux/arm64/v8" });
    const bytesOf = (image: typeof amd) =>
      [...new Map([image.config, ...image.layers].map(({ digest, size }) => [digest, size])).values()].reduce(
        (sum, size) => sum + size,
      );
    for (const image of [amd, arm]) await put(image.digest, image.bytes);
    expect(await rowOf(amd.digest)).toMatchObject({
      platforms: "linux/amd64",
      image_bytes: bytesOf(amd),
      artifact_type: OCI_CONFIG,
      size: amd.bytes.length,
      pusher: "ci",
    });
    expect((await rowOf(arm.digest)).platforms).toBe("linux/arm64");
    const provenance = await makeImage(opened, projectId, {
      layers: ["intoto"],
      platform: "unknown/unknown",
    });
    await put(provenance.digest, provenance.bytes);
    const platformed = (image: typeof amd, os: string, architecture: string) => ({
      ...image.descriptor,
      platform: { os, architecture },
    });
    const index = asManifest(OCI_INDEX, {
      manifests: [
        platformed(arm, "linux", "arm64"),
        platformed(amd, "linux", "amd64"),
        platformed(amd, "linux", "amd64"),
        platformed(provenance, "unknown", "unknown"),
      ],
      annotations: { "org.example": "ä\u0000\ud800" },
    });
    await put("multi", index.bytes, OCI_INDEX);
    const row = await rowOf(index.digest);
    const base = amd.layers[0]!.size;
    expect(row).toMatchObject({
      platforms: "linux/arm64 linux/amd64",
      image_bytes: bytesOf(amd) + bytesOf(arm) + bytesOf(provenance) - base,
      artifact_type: "",
    });
    expect(JSON.parse(row.annotations)).toEqual({ "org.example": "ä\u0000\ud800" });
    // An index of indexes names no platforms itself.
    const outer = asManifest(OCI_INDEX, { manifests: [index.descriptor] });
    await put("outer", outer.bytes, OCI_INDEX);
    expect(await rowOf(outer.digest)).toMatchObject({
      platforms: row.platforms,
      image_bytes: row.image_bytes,
    });
    const chatty = await makeImage(opened, projectId, { annotations: { long: "x".repeat(20_000) } });
    await put("chatty", chatty.bytes);
    expect((await rowOf(chatty.digest)).annotations).toBe("");

    time.now += 5_000;
    await put("again", amd.bytes);
    expect(await rowOf(amd.digest)).toMatchObject({ pushed_at: time.now, created_at: time.now - 5_000 });
  });

  test("4. deletes", async () => {
    const image = await makeImage(opened, pusher.projectId);
    const index = asManifest(OCI_INDEX, { manifests: [image.descriptor] });
    await put("child", image.bytes);
    await put("multi", index.bytes, OCI_INDEX);
    await put("multi-2", index.bytes, OCI_INDEX);
    expect(await refusal(manifests().remove(grant, image.digest))).toBe(
      `DENIED: ${image.digest} belongs to the index ${index.digest} of acme/web; delete that index first`,
    );
    // None of it is gone.
    expect(await foundBytes("child")).toBe(String(image.bytes));
    expect(await manifests().remove(grant, index.digest)).toBe(true);
    for (const gone of ["multi", "multi-2", index.digest]) expect(await foundBytes(gone)).toBeUndefined();
    expect((await manifests().listTags(grant, {})).items).toEqual(["child"]);
    expect(await referencesOf(index.digest)).toBe(0);
    expect(await manifests().remove(grant, image.digest)).toBe(true);
    for (const gone of [image.digest, "child", "never", digestOf("x"), "..", "x:y"])
      expect(await manifests().remove(grant, gone), gone).toBe(false);
    const { db } = opened.database;
    expect(await db.selectFrom("registry_references").selectAll().execute()).toEqual([]);
    // A push brings it back.
    await put("child", image.bytes);
    expect(await foundBytes("child")).toBe(String(image.bytes));
    expect(await referencesOf(image.digest)).toBe(1);
  });

  test("5. lost bytes", async () => {
    const image = await makeImage(opened, pusher.projectId, { annotations: { long: "x".repeat(10_000) } });
    await put("1.4", image.bytes);
    await opened.restart();
    const files = readdirSync(opened.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name } of files) rmSync(join(parentPath, name));
    for (const reference of ["1.4", image.digest]) expect(await foundBytes(reference)).toBeUndefined();
    await put("1.4", image.bytes);
    expect(await foundBytes("1.4")).toBe(String(image.bytes));
    expect(await referencesOf(image.digest)).toBe(1);
  });

  test("6. lists", async () => {
    const image = await makeImage(opened, pusher.projectId);
    const names = ["b", "a", "B", "_x", "1.10", "1.9", "a-b", "a.b", "bld_0123456789"];
    await put(image.digest, image.bytes, OCI_IMAGE, { tags: names });
    const sorted = names.toSorted((a, b) => (a < b ? -1 : 1));
    expect(await manifests().listTags(grant, {})).toEqual({ items: sorted, hasMore: false });
    expect(await manifests().listTags(grant, { limit: 0 })).toEqual({ items: [], hasMore: false });
    const read: string[] = [];
    for (let hasMore = true; hasMore;) {
      const page = await manifests().listTags(grant, { limit: 2, last: read.at(-1) });
      read.push(...page.items);
      expect(page.items.length).toBe(page.hasMore ? 2 : 1);
      ({ hasMore } = page);
    }
    expect(read).toEqual(sorted);

    const subject = { ...image.descriptor };
    const signatures = [];
    for (const [at, artifactType] of ["a/sig", "a/sbom", "a/sig"].entries()) {
      const signature = await makeImage(opened, pusher.projectId, {
        subject,
        artifactType,
        annotations: { at: `${at}` },
      });
      expect(await put(signature.digest, signature.bytes)).toMatchObject({ subject: image.digest });
      signatures.push({ ...signature.descriptor, artifactType, annotations: { at: `${at}` } });
    }
    signatures.sort((a, b) => (a.digest < b.digest ? -1 : 1));
    const { digest } = image;
    expect(await manifests().listReferrers(grant, { digest })).toEqual({ items: signatures, hasMore: false });
    expect((await manifests().listReferrers(grant, { digest, artifactType: "a/sig" })).items).toEqual(
      signatures.filter(({ artifactType }) => artifactType === "a/sig"),
    );
    expect((await manifests().listReferrers(grant, { digest, last: signatures[0]!.digest })).items).toEqual(
      signatures.slice(1),
    );
    expect(await manifests().listReferrers(grant, { digest: digestOf("x") })).toEqual({
      items: [],
      hasMore: false,
    });
  });

  test("7. immutable tags", async () => {
    const [first, second] = [
      await makeImage(opened, pusher.projectId, { layers: ["1"] }),
      await makeImage(opened, pusher.projectId, { layers: ["2"] }),
    ];
    const { caller } = pusher.person;
    await updateProject(opened.accounts, caller, {
      projectId: pusher.projectId,
      immutableTags: ["v*", "*-final-*"],
    });
    // Immediately, even for a caller who was granted the right before.
    for (const tag of ["v1", "1-final-2", "_-final-", "latest"]) await put(tag, first.bytes);
    for (const tag of ["v1", "1-final-2", "_-final-"]) {
      await put(tag, first.bytes);
      expect(await refusal(put(tag, second.bytes))).toMatch(
        new RegExp(
          `^DENIED: acme/web:${tag} cannot be moved: tags like .* never change .*millrace projects update --immutable-tags`,
        ),
      );
      expect(await refusal(manifests().remove(grant, tag))).toMatch(/^DENIED: .* cannot be deleted/);
      expect(await foundBytes(tag)).toBe(String(first.bytes));
    }
    expect(await refusal(manifests().remove(grant, first.digest))).toMatch(/^DENIED: .* cannot be deleted/);
    // The same bytes under a type that no client can run.
    for (const reference of ["other", first.digest, "v1"])
      expect(await refusal(put(reference, first.bytes, "application/x-other"))).toMatch(
        /^DENIED: acme\/web:.* cannot be changed/,
      );
    expect((await manifests().find(grant, "v1"))?.mediaType).toBe(OCI_IMAGE);
    await put("latest", second.bytes);
    await put("latest", second.bytes, "application/x-other");
    await put("latest", second.bytes);
    expect(await manifests().remove(grant, "latest")).toBe(true);
    // A push with several tags moves none of them.
    expect(await refusal(put(second.digest, second.bytes, OCI_IMAGE, { tags: ["new", "v1"] }))).toMatch(
      /^DENIED/,
    );
    expect(await foundBytes("new")).toBeUndefined();
    expect(await foundBytes(second.digest)).toBe(String(second.bytes));
    await updateProject(opened.accounts, caller, { projectId: pusher.projectId, clearImmutableTags: true });
    expect(await manifests().remove(grant, "v1")).toBe(true);
  });
});
