/**
 * 1. The list has images with a tag, and manifests that nothing else names; not the parts of an index, not referrers, and not
 *    cosign's tags. The newest is first, page by page.
 * 2. A search finds the beginning of a tag, a digest and a commit, which comes from annotations or labels.
 * 3. An image's own bytes are those of layers that no other tagged image has, also through an index.
 * 4. One image has its platforms with the steps of their layers, its referrers by name, and its commit.
 * 5. A delete says what the organization gets back, whoever else has the same layers.
 * 6. An image expires by the rules: never with a tag of its own.
 * 7. Repositories have their counts, those without an image are left out, and they come page by page.
 * 8. No one reads or changes images of others; a config outside the manifest's repository is not read.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createProject } from "#accounts/index.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import type { Image } from "../contract/images.ts";
import { GRACE_MS } from "../contract/limits.ts";
import { digestOf } from "../testing/client.ts";
import {
  addBlob,
  asManifest,
  makeImage,
  makePusher,
  OCI_CONFIG,
  OCI_IMAGE,
  OCI_INDEX,
  OCI_LAYER,
  type TestImage,
  type TestPusher,
} from "../testing/images.ts";
import { openTestRegistry, type TestRegistry } from "../testing/registry.ts";

const HOUR_MS = 3_600_000;
const SAVED = "bld_m4c7wq2x9e";
const COMMIT = "4be92d1f0c7a83e5d6b1290fa4c3e8d75b60a1f2";

describe.each(testDatabaseKinds)("%s", (kind) => {
  let opened: TestRegistry;
  let pusher: TestPusher;
  const time = { now: 0 };

  beforeEach(async () => {
    time.now = Date.parse("2026-11-22T00:00:00Z");
    opened = await openTestRegistry(kind, { clock: () => time.now, retentionMs: 48 * HOUR_MS });
    pusher = await makePusher(opened);
  });
  afterEach(() => opened.close());

  const images = () => opened.registry.images;
  const actor = () => pusher.person.caller.actor;
  const of = () => ({ projectId: pusher.projectId });
  /** A minute after the last. */
  async function put(
    reference: string,
    { bytes }: { bytes: Uint8Array },
    mediaType = OCI_IMAGE,
    tags: string[] = [],
  ) {
    time.now += 60_000;
    await opened.registry.manifests.put(pusher.grant, { reference, bytes, mediaType, tags });
  }
  const image = (layers: readonly string[], more = {}) =>
    makeImage(opened, pusher.projectId, { layers, ...more });
  const index = (parts: readonly { image: TestImage; platform?: object }[], more = {}) =>
    asManifest(OCI_INDEX, {
      manifests: parts.map(({ image: { descriptor }, platform }) => ({
        ...descriptor,
        ...(platform && { platform }),
      })),
      ...more,
    });
  const tagsOf = (listed: readonly Image[]) => listed.map(({ tags }) => tags.join(" "));
  const list = async (more = {}) => (await images().list(actor(), { ...of(), ...more })).items;
  const refusal = (doing: Promise<unknown>) =>
    doing.then(
      () => "nothing was refused",
      (error: Error & { code?: string }) => `${error.code}: ${error.message}`,
    );

  async function pushIndex() {
    const amd = await image(["base amd", "web amd"]);
    const arm = await image(["base arm", "web arm"], { platform: "linux/arm64" });
    const whole = index([
      { image: amd, platform: { os: "linux", architecture: "amd64" } },
      { image: arm, platform: { os: "linux", architecture: "arm64" } },
    ]);
    await put(amd.digest, amd);
    await put(arm.digest, arm);
    await put("main", whole, OCI_INDEX);
    return { amd, arm, whole };
  }

  test("1. what is listed, and in which order", async () => {
    const { whole } = await pushIndex();
    const saved = await image(["saved"]);
    await put(SAVED, saved);
    const nameless = await image(["nameless"]);
    await put(nameless.digest, nameless);
    const signature = await image(["signature"], { subject: whole.descriptor });
    await put(signature.digest, signature);
    const older = await image(["older signature"]);
    await put(`${whole.digest.replace(":", "-")}.sig`, older);
    expect(tagsOf(await list())).toEqual(["", SAVED, "main"]);
    expect(tagsOf(await list({ withoutSavedBuilds: true }))).toEqual(["main"]);
    const [, { buildId = "", platforms = [], sizeBytes = 0 } = {}, main] = await list();
    expect({ buildId, platforms }).toEqual({ buildId: SAVED, platforms: ["linux/amd64"] });
    expect(sizeBytes).toBe(saved.config.size + saved.layers[0]!.size);
    expect(main).toMatchObject({
      digest: whole.digest,
      mediaType: OCI_INDEX,
      pushedBy: "ci",
      pulls: 0,
      pulledAt: null,
    });
    expect(main?.platforms).toEqual(["linux/amd64", "linux/arm64"]);
    const seen: string[] = [];
    let pageToken = "";
    do {
      const page = await images().list(actor(), { ...of(), pageSize: 2, pageToken });
      seen.push(...tagsOf(page.items));
      ({ nextPageToken: pageToken } = page);
    } while (pageToken !== "");
    expect(seen).toEqual(["", SAVED, "main"]);
    // Another tag makes it the newest.
    await put("release", whole, OCI_INDEX);
    expect(tagsOf(await list())[0]).toBe("main release");
  });

  test("2. search", async () => {
    const labeled = { config: { Labels: { "org.opencontainers.image.revision": COMMIT } } };
    const config = await addBlob(
      opened,
      pusher.projectId,
      JSON.stringify({ os: "linux", architecture: "amd64", ...labeled }),
    );
    const one = asManifest(OCI_IMAGE, { config: { mediaType: OCI_CONFIG, ...config }, layers: [] });
    await put("1.4.0", one);
    const annotated = await image(["two"], {
      annotations: { "org.opencontainers.image.revision": "c".repeat(40) },
    });
    await put("1.5.0", annotated);
    await put("latest", index([{ image: annotated }]), OCI_INDEX);
    expect(tagsOf(await list({ query: "1." }))).toEqual(["1.5.0", "1.4.0"]);
    expect(tagsOf(await list({ query: "1.4" }))).toEqual(["1.4.0"]);
    expect(tagsOf(await list({ query: "4BE92d1" }))).toEqual(["1.4.0"]);
    expect(tagsOf(await list({ query: "ccccccc" }))).toEqual(["latest", "1.5.0"]);
    for (const query of [annotated.digest.slice(0, 19), annotated.digest.slice(7, 19)])
      expect(tagsOf(await list({ query }))).toEqual(["1.5.0"]);
    for (const query of ["4.0", "%", "_", "x'", "\u0000", "sha256:"])
      expect(tagsOf(await list({ query })), query).toHaveLength(query === "sha256:" ? 3 : 0);
    expect((await images().get(actor(), { ...of(), reference: "1.4.0" })).commitSha).toBe(COMMIT);
    expect((await images().get(actor(), { ...of(), reference: "latest" })).commitSha).toBe("c".repeat(40));
  });

  test("3. bytes of its own", async () => {
    const { amd, arm } = await pushIndex();
    const size = (...contents: string[]) => contents.reduce((sum, { length }) => sum + length, 0);
    const ownBytes = async () =>
      Object.fromEntries((await list()).map((each) => [each.tags.join(" "), each.ownBytes]));
    expect(await ownBytes()).toEqual({ main: size("base amd", "web amd", "base arm", "web arm") });
    await put("other", await image(["base amd", "something else"]));
    expect(await ownBytes()).toEqual({
      main: size("web amd", "base arm", "web arm"),
      other: size("something else"),
    });
    // A tag on a part of the index makes it another image.
    await put("arm", arm);
    expect(await ownBytes()).toMatchObject({ main: size("web amd"), arm: 0 });
    // An untagged image shares with no image.
    const nameless = await image(["web amd"]);
    await put(nameless.digest, nameless);
    expect(await ownBytes()).toMatchObject({ main: size("web amd") });
    expect(amd.layers).toHaveLength(2);
  });

  test("4. one image", async () => {
    const history = [
      { created_by: "ADD rootfs" },
      { created_by: "ENV A=b", empty_layer: true },
      { created_by: "COPY . /srv" },
    ];
    const config = await addBlob(
      opened,
      pusher.projectId,
      JSON.stringify({ os: "linux", architecture: "arm64", history }),
    );
    const layers = [
      await addBlob(opened, pusher.projectId, "base"),
      await addBlob(opened, pusher.projectId, "srv"),
    ];
    const manifest = asManifest(OCI_IMAGE, {
      config: { mediaType: OCI_CONFIG, ...config },
      layers: layers.map((layer) => ({ mediaType: OCI_LAYER, ...layer })),
    });
    await put(manifest.digest, manifest);
    const statement = await addBlob(opened, pusher.projectId, "a statement");
    const inToto = (predicate: string) => ({
      mediaType: "application/vnd.in-toto+json",
      ...statement,
      annotations: { "in-toto.io/predicate-type": predicate },
    });
    const empty = await addBlob(opened, pusher.projectId, "{}");
    const attestation = asManifest(OCI_IMAGE, {
      config: { mediaType: OCI_CONFIG, ...empty },
      layers: [inToto("https://spdx.dev/Document"), inToto("https://slsa.dev/provenance/v1")],
    });
    await put(attestation.digest, attestation);
    const whole = asManifest(OCI_INDEX, {
      manifests: [
        { ...manifest.descriptor, platform: { os: "linux", architecture: "arm64", variant: "v8" } },
        { ...attestation.descriptor, platform: { os: "unknown", architecture: "unknown" } },
      ],
    });
    await put("main", whole, OCI_INDEX);
    const bundle = await image(["bundle"], {
      subject: whole.descriptor,
      artifactType: "application/vnd.dev.sigstore.bundle.v0.3+json",
    });
    await put(bundle.digest, bundle);
    await put(`${whole.digest.replace(":", "-")}.sig`, await image(["older"]));
    await put("other", await image(["base"]));
    const details = await images().get(actor(), { ...of(), reference: "main" });
    expect(details.image).toMatchObject({ digest: whole.digest, tags: ["main"], platforms: ["linux/arm64"] });
    expect(details.platforms).toEqual([
      {
        platform: "linux/arm64",
        digest: manifest.digest,
        sizeBytes: config.size + 7,
        layers: [
          { digest: layers[0]!.digest, sizeBytes: 4, createdBy: "ADD rootfs", isShared: true },
          { digest: layers[1]!.digest, sizeBytes: 3, createdBy: "COPY . /srv", isShared: false },
        ],
      },
    ]);
    expect(details.referrers.map(({ name }) => name).toSorted()).toEqual([
      "SBOM",
      "provenance",
      "signature",
      "signature",
    ]);
    expect(details.referrers.find(({ digest }) => digest === bundle.digest)).toMatchObject({
      artifactType: "application/vnd.dev.sigstore.bundle.v0.3+json",
      name: "signature",
    });
    // The beginning of a digest, as the command line shows it.
    const short = { ...of(), reference: whole.digest.slice(0, 19) };
    expect((await images().get(actor(), short)).image.digest).toBe(whole.digest);
    for (const reference of ["nothing", `sha256:${"0".repeat(64)}`, "sha256:00", "sha256:x", ""])
      expect(await refusal(images().get(actor(), { ...of(), reference })), reference).toMatch(
        /^not_found: acme\/web has no image/,
      );
  });

  test("4. a config that takes long to read", async () => {
    const names = Array.from({ length: 16_384 }, (_, at) => `"${4_000_000_000 - at}":0`);
    const shown = [];
    for (const more of [names.slice(0, 100), names]) {
      const text = `{"os":"linux","architecture":"arm64","config":{"Labels":{"org.opencontainers.image.revision":"${COMMIT}"}},${more.join()}}`;
      const config = await addBlob(opened, pusher.projectId, text);
      const manifest = asManifest(OCI_IMAGE, { config: { mediaType: OCI_CONFIG, ...config }, layers: [] });
      await put("main", manifest);
      const {
        platforms,
        image: found,
        commitSha,
      } = await images().get(actor(), { ...of(), reference: "main" });
      shown.push([found.platforms, commitSha, platforms.map(({ platform }) => platform)]);
    }
    expect(shown).toEqual([
      [["linux/arm64"], COMMIT, ["linux/arm64"]],
      [[], "", [""]],
    ]);
  });

  test("5. deletes", async () => {
    const { amd, arm, whole } = await pushIndex();
    await put("other", await image(["base amd"]));
    // Another project of the organization, and another organization.
    const { id: second } = await createProject(opened.accounts, pusher.person.caller, { name: "second" });
    const there = await makeImage(opened, second, { layers: ["web amd"] });
    await opened.registry.manifests.put(
      await opened.registry.grant({ actor: actor(), scopes: null }, "acme/second", "push"),
      { reference: "1", bytes: there.bytes, mediaType: OCI_IMAGE },
    );
    const foreign = await makePusher(opened, "evil", "copy");
    await makeImage(opened, foreign.projectId, { layers: ["base arm", "web arm"] });
    const { freedBytes } = await images().get(actor(), { ...of(), reference: "main" });
    const sizes = [whole.bytes, amd.bytes, arm.bytes].reduce((sum, { length }) => sum + length, 0);
    // The config of amd64 is that of "other" and of the other project.
    expect(freedBytes).toBe(sizes + arm.config.size + "base arm".length + "web arm".length);
    await put("kept", whole, OCI_INDEX);
    const remove = (reference: string) => images().remove(actor(), { ...of(), reference });
    expect(await remove("kept")).toEqual({ freedBytes: 0 });
    expect(await remove("main")).toEqual({ freedBytes });
    expect(await refusal(remove("main"))).toMatch(/^not_found: /);
    await put("main", whole, OCI_INDEX);
    const signature = await image(["older"]);
    await put(`${whole.digest.replace(":", "-")}.sig`, signature);
    expect(await remove(whole.digest)).toEqual({
      freedBytes: freedBytes + signature.bytes.length + "older".length,
    });
    const tags = await opened.registry.manifests.listTags(pusher.grant, {});
    expect(tags.items).toEqual(["other"]);
    expect(await refusal(remove(amd.digest))).toBe("nothing was refused");
  });

  test("6. when it expires", async () => {
    const saved = await image(["saved"]);
    await put(SAVED, saved);
    const expiry = async () => (await list({ query: saved.digest }))[0]?.expiresAt;
    expect(await expiry()).toBe(time.now + 48 * HOUR_MS);
    expect(await images().tag(actor(), { ...of(), reference: SAVED, tag: "1.4" })).toMatchObject({
      tags: ["1.4", SAVED],
      expiresAt: null,
    });
    expect(await expiry()).toBeNull();
    const nameless = await image(["nameless"]);
    await put(nameless.digest, nameless);
    expect((await list({ query: nameless.digest }))[0]?.expiresAt).toBe(time.now + GRACE_MS);
    const tag = (name: string, reference = SAVED) => images().tag(actor(), { ...of(), reference, tag: name });
    expect(await refusal(tag("-no"))).toMatch(/^invalid_argument: tag must have 1 to 128/);
    expect(await refusal(tag("yes", "nothing"))).toMatch(/^not_found: /);
  });

  test("7. repositories", async () => {
    const { whole } = await pushIndex();
    await put(`${whole.digest.replace(":", "-")}.sig`, await image(["what cosign has signed"]));
    await put(SAVED, await image(["saved"]));
    await createProject(opened.accounts, pusher.person.caller, { name: "empty" });
    const names = ["alpha", "zeta"];
    for (const name of names) {
      const { id } = await createProject(opened.accounts, pusher.person.caller, { name });
      const one = await makeImage(opened, id);
      const grant = await opened.registry.grant({ actor: actor(), scopes: null }, `acme/${name}`, "push");
      await opened.registry.manifests.put(grant, { reference: "1", bytes: one.bytes, mediaType: OCI_IMAGE });
    }
    const first = await images().listRepositories(actor(), { pageSize: 2 });
    const second = await images().listRepositories(actor(), { pageSize: 2, pageToken: first.nextPageToken });
    const all = [...first.items, ...second.items];
    expect(all.map(({ name }) => name)).toEqual(["alpha", "web", "zeta"]);
    expect(second.nextPageToken).toBe("");
    const web = all.find(({ name }) => name === "web")!;
    expect(web).toMatchObject({ projectId: pusher.projectId, tags: 2, savedBuilds: 1, pushedAt: time.now });
    const [, main] = await list();
    expect(web.imageBytes).toBe((main?.sizeBytes ?? 0) + (await list())[0]!.sizeBytes);
    expect(
      await images().countBytes({ organizationId: pusher.organizationId, projectId: pusher.projectId }),
    ).toBe(web.storedBytes);
    const together = all.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
    // Equal configs and images of the three projects count once.
    expect(await images().countBytes({ organizationId: pusher.organizationId })).toBeLessThan(together);
  });

  test("8. others", async () => {
    const { whole } = await pushIndex();
    const foreign = await makePusher(opened, "evil", "copy");
    const stranger = foreign.person.caller.actor;
    const missing = "prj_0000000000";
    for (const reference of ["main", whole.digest]) {
      const asked = await refusal(images().get(stranger, { ...of(), reference }));
      expect(asked.replace(pusher.projectId, missing)).toBe(
        await refusal(images().get(stranger, { projectId: missing, reference })),
      );
      expect(asked).toMatch(/^not_found: /);
      expect(await refusal(images().remove(stranger, { ...of(), reference }))).toBe(asked);
      expect(await refusal(images().tag(stranger, { ...of(), reference, tag: "mine" }))).toBe(asked);
    }
    expect(await refusal(images().list(stranger, of()))).toMatch(/^not_found: /);
    expect((await images().listRepositories(stranger, {})).items).toEqual([]);
    // A manifest of an unknown type may name anything.
    const secret = JSON.stringify({ config: { Labels: { "org.opencontainers.image.revision": COMMIT } } });
    await addBlob(opened, pusher.projectId, secret);
    const type = "application/vnd.acme.thing+json";
    const bytes = Buffer.from(
      JSON.stringify({ config: { mediaType: OCI_CONFIG, digest: digestOf(secret), size: secret.length } }),
    );
    await opened.registry.manifests.put(foreign.grant, { reference: "peek", bytes, mediaType: type });
    const peeked = await images().get(stranger, { projectId: foreign.projectId, reference: "peek" });
    expect(peeked.commitSha).toBe("");
  });
});
