/** Manifests of all shapes are stored and returned unchanged. */
import {
  type Descriptor,
  describeBlob,
  makeImage,
  makeManifest,
  type Manifest,
  pushBlob,
  pushImage,
  putManifest,
  TYPES,
} from "../content.ts";
import { ALGORITHMS, digestOf, newBytes, type Repository } from "../repository.ts";
import type { Row } from "../row.ts";

const PLATFORMS = ["amd64", "arm64"];
const EXAMPLE = "application/vnd.example.thing.v1+json";

async function makeIndex(
  here: Repository,
  { fields = {}, algorithm = "sha256" }: { fields?: object; algorithm?: "sha256" | "sha512" } = {},
): Promise<Manifest> {
  const manifests: Descriptor[] = [];
  for (const architecture of PLATFORMS) {
    const { descriptor } = await pushImage(here, { algorithm, layers: 2 });
    manifests.push({ ...descriptor, platform: { os: "linux", architecture } });
  }
  return makeManifest({ manifests, ...fields }, { type: TYPES.index, algorithm });
}

async function makeArtifact(here: Repository, layer: Descriptor): Promise<Manifest> {
  const config = describeBlob(await pushBlob(here, "{}"), TYPES.empty);
  return makeManifest({ artifactType: EXAMPLE, config, layers: [layer] });
}

const SHAPES: Readonly<Record<string, (here: Repository) => Promise<Manifest>>> = {
  "an image of two layers": (here) => makeImage(here, { layers: 2 }),
  "an image without layers": (here) => makeImage(here, { layers: 0 }),
  "a Docker image": (here) => makeImage(here, { type: TYPES.dockerImage }),
  "an index": (here) => makeIndex(here),
  "an index of sha512": (here) => makeIndex(here, { algorithm: "sha512" }),
  "a Docker manifest list": async (here) => {
    const { descriptor } = await pushImage(here, { type: TYPES.dockerImage });
    const platform = { os: "linux", architecture: "amd64" };
    return makeManifest({ manifests: [{ ...descriptor, platform }] }, { type: TYPES.dockerIndex });
  },
  "an index of nothing": () => Promise.resolve(makeManifest({ manifests: [] }, { type: TYPES.index })),
  "an index of indexes": async (here) => {
    const manifests: Descriptor[] = [];
    for (let number = 0; number < 2; number += 1) {
      const index = await makeIndex(here);
      await putManifest(here, index);
      manifests.push(index.descriptor);
    }
    return makeManifest({ manifests }, { type: TYPES.index });
  },
  "an artifact": async (here) => makeArtifact(here, describeBlob(await pushBlob(here), EXAMPLE)),
  "an artifact without layers": async (here) =>
    makeArtifact(here, describeBlob(await pushBlob(here, "{}"), TYPES.empty)),
  "an index of artifacts": async (here) => {
    const artifact = await makeArtifact(here, describeBlob(await pushBlob(here), EXAMPLE));
    await putManifest(here, artifact);
    const descriptor = { ...artifact.descriptor, artifactType: EXAMPLE };
    return makeManifest({ artifactType: EXAMPLE, manifests: [descriptor] }, { type: TYPES.index });
  },
  "a descriptor with its data": async (here) => {
    const config = describeBlob(await pushBlob(here, "{}"), TYPES.config);
    return makeManifest({ config: { ...config, data: Buffer.from("{}").toString("base64") }, layers: [] });
  },
  "layers that are not distributed": async (here) => {
    const layers = ["tar+gzip", "tar"].map((kind) => {
      const digest = digestOf(newBytes());
      const urls = [`https://store.example.com/${digest}`];
      return {
        mediaType: `application/vnd.oci.image.layer.nondistributable.v1.${kind}`,
        digest,
        size: 12_345,
        urls,
      };
    });
    const own = describeBlob(await pushBlob(here), TYPES.layer);
    return makeImage(here, { fields: { layers: [...layers, own] } });
  },
  "fields that no one knows": (here) =>
    makeIndex(here, { fields: { "org.example.more": { of: ["everything", 1, null] } } }),
  "annotations in all letters": (here) =>
    makeImage(here, { fields: { annotations: { "org.example.title": "naïve 图像 🐋" } } }),
};

const shapes = Object.entries(SHAPES).map(([name, make]): Row => ({
  section: "Pushing Manifests",
  sentence: "The registry MUST store the manifest in the exact byte representation provided by the client.",
  of: name,
  async prove(here) {
    const manifest = await make(here);
    await putManifest(here, manifest);
    if (manifest.digest.startsWith("sha256:")) await putManifest(here, manifest, { reference: "shape" });
    const headers = { "content-type": manifest.type, "content-length": String(manifest.bytes.length) };
    const references = manifest.digest.startsWith("sha256:") ? [manifest.digest, "shape"] : [manifest.digest];
    for (const reference of references) {
      await here.ask("HEAD", `manifests/${reference}`, { status: 200, headers, body: "" });
      await here.ask("GET", `manifests/${reference}`, { status: 200, headers, body: manifest.bytes });
    }
  },
}));

export const shapeRows: readonly Row[] = [
  ...shapes,
  ...ALGORITHMS.map((algorithm): Row => ({
    section: "Pushing Manifests",
    sentence:
      "<name> is the namespace of the repository, and the <reference> MUST be either a) a digest or b) a tag.",
    of: `the same image by digest and then by tag, ${algorithm}`,
    async prove(here) {
      const image = await pushImage(here, { algorithm });
      const { headers } = await putManifest(here, image, { reference: "both" });
      await here.ask("GET", "manifests/both", { status: 200, body: image.bytes });
      const told = headers["docker-content-digest"]?.toString();
      // A tag alone does not name an algorithm: the registry's own is also right.
      const known = ALGORITHMS.map((name) => digestOf(image.bytes, name));
      if (told !== undefined && !known.includes(told)) throw new Error(`${told} is not a digest of it.`);
    },
  })),
];
