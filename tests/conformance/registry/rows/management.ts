/** A deleted object is gone immediately, and nothing else is. */
import { expect } from "vitest";
import {
  beginUpload,
  makeManifest,
  octets,
  pushArtifact,
  pushBlob,
  pushImage,
  putManifest,
  TYPES,
} from "../content.ts";
import { ALGORITHMS, digestOf, newBytes, withParameter } from "../repository.ts";
import type { Row } from "../row.ts";

const eachAlgorithm = ALGORITHMS.flatMap((algorithm): Row[] => [
  {
    section: "Deleting Blobs",
    sentence: "Upon success, the registry MUST respond with code 202 Accepted.",
    of: algorithm,
    async prove(here) {
      const { digest } = await pushBlob(here, newBytes(), algorithm);
      await here.ask("DELETE", `blobs/${digest}`, { status: 202 });
      await here.ask("HEAD", `blobs/${digest}`, { status: 404 });
      await here.ask("GET", `blobs/${digest}`, { status: 404, code: "BLOB_UNKNOWN" });
      await here.ask("DELETE", `blobs/${digest}`, { status: 404, code: "BLOB_UNKNOWN" });
    },
  },
  {
    section: "Deleting Manifests",
    sentence:
      "Once deleted, a GET to /v2/<name>/manifests/<digest> and any tag pointing to that digest will return a 404.",
    of: algorithm,
    async prove(here) {
      const { digest } = await pushImage(here, { algorithm });
      await here.ask("DELETE", `manifests/${digest}`, { status: 202 });
      await here.ask("GET", `manifests/${digest}`, { status: 404, code: "MANIFEST_UNKNOWN" });
      await here.ask("HEAD", `manifests/${digest}`, { status: 404 });
    },
  },
]);

export const managementRows: readonly Row[] = [
  ...eachAlgorithm,
  {
    section: "Deleting tags",
    sentence: "Once deleted, a GET to /v2/<name>/manifests/<tag> will return a 404.",
    async prove(here) {
      const image = await pushImage(here, { tag: "old" });
      await putManifest(here, image, { reference: "kept" });
      await here.ask("DELETE", "manifests/old", { status: 202 });
      await here.ask("GET", "manifests/old", { status: 404, code: "MANIFEST_UNKNOWN" });
      await here.ask("HEAD", "manifests/old", { status: 404 });
      await here.ask("GET", "manifests/kept", { status: 200, body: image.bytes });
      await here.ask("GET", `manifests/${image.digest}`, { status: 200, body: image.bytes });
      expect((await here.ask("GET", "tags/list", { status: 200 })).json()).toMatchObject({ tags: ["kept"] });
    },
  },
  {
    section: "Deleting Manifests",
    sentence:
      "Once deleted, a GET to /v2/<name>/manifests/<digest> and any tag pointing to that digest will return a 404.",
    of: "its two tags, and not those of others",
    async prove(here) {
      const image = await pushImage(here, { tag: "one" });
      await putManifest(here, image, { reference: "two" });
      const other = await pushImage(here, { tag: "three" });
      await here.ask("DELETE", `manifests/${image.digest}`, { status: 202 });
      for (const reference of [image.digest, "one", "two"])
        await here.ask("GET", `manifests/${reference}`, { status: 404 });
      await here.ask("GET", "manifests/three", { status: 200, body: other.bytes });
    },
  },
  ...["latest", digestOf("nowhere")].map((reference): Row => ({
    section: "Deleting Manifests",
    sentence: "end-9 DELETE /v2/<name>/manifests/<reference> 202 404/400/405",
    of: `${reference}, which is not there`,
    prove: (here) => here.ask("DELETE", `manifests/${reference}`, { status: 404, code: "MANIFEST_UNKNOWN" }),
  })),
  {
    section: "Deleting Manifests",
    sentence: "Upon success, the registry MUST respond with a 202 Accepted code.",
    of: "an index, then its image, then its blobs; and all of it pushed again",
    async prove(here) {
      const image = await pushImage(here);
      const index = makeManifest({ manifests: [image.descriptor] }, { type: TYPES.index });
      await putManifest(here, index, { reference: "index" });
      const { config, layers } = JSON.parse(image.bytes.toString("utf8")) as {
        config: { digest: string };
        layers: { digest: string }[];
      };
      for (const path of [
        `manifests/${index.digest}`,
        `manifests/${image.digest}`,
        ...[config, ...layers].map(({ digest }) => `blobs/${digest}`),
      ])
        await here.ask("DELETE", path, { status: 202 });
      const question = { headers: { "content-type": image.type }, body: image.bytes };
      await here.ask("PUT", "manifests/again", { status: [400, 404] }, question);
    },
  },
  {
    section: "Deleting Manifests",
    sentence:
      "Each descriptor is of an image manifest or index in the same <name> namespace with a subject field that specifies the value of <digest>.",
    of: "one that was deleted is no longer a referrer",
    async prove(here) {
      const { descriptor: subject } = await pushImage(here);
      const { digest } = await pushArtifact(here, { subject, artifactType: "application/example" });
      await here.ask("DELETE", `manifests/${digest}`, { status: 202 });
      const answer = await here.ask("GET", `referrers/${subject.digest}`, { status: 200 });
      expect(answer.json()).toMatchObject({ manifests: [] });
    },
  },
  {
    section: "Deleting Manifests",
    sentence:
      "If the registry supports the referrers API, the registry MUST NOT return a 404 Not Found to a referrers API requests.",
    of: "whose subject was deleted",
    async prove(here) {
      const image = await pushImage(here);
      const artifact = await pushArtifact(here, {
        subject: image.descriptor,
        artifactType: "application/example",
      });
      await here.ask("DELETE", `manifests/${image.digest}`, { status: 202 });
      const answer = await here.ask("GET", `referrers/${image.digest}`, { status: 200 });
      expect(answer.json()).toMatchObject({ manifests: [{ digest: artifact.digest }] });
    },
  },
  {
    section: "Deleting Blobs",
    sentence: "If the blob is not found, a 404 Not Found code MUST be returned.",
    prove: (here) =>
      here.ask("DELETE", `blobs/${digestOf("nowhere")}`, { status: 404, code: "BLOB_UNKNOWN" }),
  },
  {
    section: "Deleting Blobs",
    sentence:
      "<name> is the namespace of the repository, and <digest> is the digest of the blob to be deleted.",
    of: "another repository keeps its own, and it can be pushed again",
    async prove(here, there) {
      const { bytes, digest } = await pushBlob(here);
      await pushBlob(there, bytes);
      await here.ask("DELETE", `blobs/${digest}`, { status: 202 });
      await there.ask("GET", `blobs/${digest}`, { status: 200, body: bytes });
      await pushBlob(here, bytes);
      await here.ask("GET", `blobs/${digest}`, { status: 200, body: bytes });
    },
  },
  {
    section: "Pushing a blob in chunks",
    sentence: "A DELETE of the upload's location gives it up.",
    of: "as the next version of the specification has it: 204, and it is unknown afterwards",
    async prove(here) {
      const bytes = newBytes();
      const at = await beginUpload(here);
      await here.ask("PATCH", at, { status: 202 }, { headers: octets, body: bytes });
      await here.ask("DELETE", at, { status: 204 });
      const last = withParameter(at, "digest", digestOf(bytes));
      await here.ask("PUT", last, { status: 404, code: "BLOB_UPLOAD_UNKNOWN" }, { headers: octets });
      await here.ask("HEAD", `blobs/${digestOf(bytes)}`, { status: 404 });
    },
  },
];
