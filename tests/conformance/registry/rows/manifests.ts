/** Manifests pushed by tag and by digest, and those that are refused. */
import {
  describeBlob,
  makeImage,
  makeManifest,
  pushBlob,
  pushImage,
  putManifest,
  TYPES,
} from "../content.ts";
import { ALGORITHMS, digestOf, newBytes } from "../repository.ts";
import type { Row } from "../row.ts";

const CREATED =
  "Upon a successful upload, the registry MUST return response code 201 Created, and MUST have the following header: Location: <location> The <location> is a pullable manifest URL.";
const EQUAL =
  "The Docker-Content-Digest header returns the canonical digest of the uploaded blob, and MUST be equal to the client provided digest.";
const UNKNOWN =
  "When a manifest is rejected for this reason, it MUST result in one or more MANIFEST_BLOB_UNKNOWN errors.";
const MEGABYTES =
  "Client and registry implementations SHOULD expect to be able to support manifest pushes of at least 4 megabytes.";
/** 390 annotations of 10,000 characters. */
const LARGE = Object.fromEntries(
  Array.from({ length: 390 }, (_, number) => [`annotation-${number}`, "A".repeat(10_000)]),
);

const byDigest = ALGORITHMS.map((algorithm): Row => ({
  section: "Pushing Manifests",
  sentence: CREATED,
  of: `by digest, ${algorithm}`,
  async prove(here) {
    const image = await makeImage(here, { algorithm });
    const { location } = await putManifest(here, image, {
      headers: { "docker-content-digest": image.digest },
    });
    const headers = { "content-type": image.type, "content-length": String(image.bytes.length) };
    await here.ask("GET", location, { status: 200, headers, body: image.bytes });
  },
}));

const wrongDigests = ALGORITHMS.map((algorithm): Row => ({
  section: "Pushing Manifests",
  sentence: EQUAL,
  of: `two spaces more, ${algorithm}`,
  async prove(here) {
    const image = await makeImage(here, { algorithm });
    const body = Buffer.concat([image.bytes, Buffer.from("  ")]);
    const question = { headers: { "content-type": image.type }, body };
    await here.ask("PUT", `manifests/${image.digest}`, { status: 400, code: "DIGEST_INVALID" }, question);
    await here.ask("HEAD", `manifests/${image.digest}`, { status: 404 });
  },
}));

export const manifestRows: readonly Row[] = [
  {
    section: "Pushing Manifests",
    sentence: CREATED,
    of: "by tag",
    async prove(here) {
      const image = await makeImage(here);
      const headers = { "docker-content-digest": image.digest };
      const { location } = await putManifest(here, image, { reference: "1.0", headers });
      await here.ask("GET", location, {
        status: 200,
        headers: { "content-type": image.type },
        body: image.bytes,
      });
      await here.ask("GET", `manifests/${image.digest}`, { status: 200, body: image.bytes });
    },
  },
  ...byDigest,
  ...wrongDigests,
  {
    section: "Pushing Manifests",
    sentence: EQUAL,
    of: "sha256:baddigeststring",
    async prove(here) {
      const image = await makeImage(here);
      const question = { headers: { "content-type": image.type }, body: image.bytes };
      await here.ask("PUT", "manifests/sha256:baddigeststring", { status: 400 }, question);
    },
  },
  {
    section: "Pushing Manifests",
    sentence: "The registry MUST store the manifest in the exact byte representation provided by the client.",
    async prove(here) {
      const { bytes, type } = await makeImage(here);
      const spaced = Buffer.from(`\n${JSON.stringify(JSON.parse(bytes.toString("utf8")), null, 5)} \t\n`);
      await putManifest(
        here,
        {
          bytes: spaced,
          digest: digestOf(spaced),
          type,
          descriptor: describeBlob({ bytes, digest: "" }, type),
        },
        { reference: "1.0" },
      );
      await here.ask("GET", "manifests/1.0", { status: 200, body: spaced });
    },
  },
  {
    section: "Pushing Manifests",
    sentence: "The registry SHOULD ignore parameters on the Content-Type header.",
    async prove(here) {
      const image = await makeImage(here);
      const headers = { "content-type": `${image.type}; charset=utf-8` };
      await here.ask("PUT", "manifests/1.0", { status: 201 }, { headers, body: image.bytes });
      await here.ask("GET", "manifests/1.0", { status: 200, headers: { "content-type": image.type } });
    },
  },
  {
    section: "Pushing Manifests",
    sentence: "However, the list of blobs MAY be empty.",
    async prove(here) {
      const image = await pushImage(here, { layers: 0, tag: "empty" });
      await here.ask("GET", "manifests/empty", { status: 200, body: image.bytes });
    },
  },
  {
    section: "Pushing Manifests",
    sentence:
      "Assuming a tag that is there: a manifest digest may have zero, one, or many tags referencing it.",
    of: "the tag moves with the next push",
    async prove(here) {
      const old = await pushImage(here, { tag: "1.0" });
      await putManifest(here, old, { reference: "first" });
      const image = await pushImage(here, { tag: "1.0" });
      await here.ask("GET", "manifests/1.0", { status: 200, body: image.bytes });
      await here.ask("GET", "manifests/first", { status: 200, body: old.bytes });
      await here.ask("GET", `manifests/${old.digest}`, { status: 200, body: old.bytes });
    },
  },
  {
    section: "Pushing Manifests",
    sentence: MEGABYTES,
    async prove(here) {
      const image = await pushImage(here, { tag: "large", fields: { annotations: LARGE } });
      await here.ask("GET", "manifests/large", { status: 200, body: image.bytes });
    },
  },
  {
    section: "Pushing Manifests",
    sentence:
      "A registry that enforces this limit SHOULD respond to a request to push a manifest over this limit with a response code 413 Payload Too Large.",
    async prove(here) {
      const image = await makeImage(here, { fields: { annotations: { much: "A".repeat(5_000_000) } } });
      const question = { headers: { "content-type": image.type }, body: image.bytes };
      // Without a limit, it is accepted.
      await here.ask(
        "PUT",
        "manifests/large",
        { status: here.target.isOurs ? 413 : [413, 400, 201] },
        question,
      );
    },
  },
  {
    section: "Push",
    sentence: UNKNOWN,
    of: "a layer",
    async prove(here) {
      const { bytes, type } = await makeImage(here, {
        fields: { layers: [{ mediaType: TYPES.layer, digest: digestOf(newBytes()), size: 512 }] },
      });
      const expected = { status: [400, 404], code: ["MANIFEST_BLOB_UNKNOWN", "BLOB_UNKNOWN"] };
      await here.ask("PUT", "manifests/1.0", expected, { headers: { "content-type": type }, body: bytes });
      await here.ask("HEAD", "manifests/1.0", { status: 404 });
    },
  },
  {
    section: "Push",
    sentence: UNKNOWN,
    of: "a config that only another repository has",
    async prove(here, there) {
      const config = describeBlob(await pushBlob(there), TYPES.config);
      const { bytes, type } = makeManifest({ config, layers: [] });
      const expected = { status: [400, 404], code: ["MANIFEST_BLOB_UNKNOWN", "BLOB_UNKNOWN"] };
      await here.ask("PUT", "manifests/1.0", expected, { headers: { "content-type": type }, body: bytes });
    },
  },
  {
    section: "Push",
    sentence: UNKNOWN,
    of: "a manifest of an index",
    async prove(here) {
      const missing = { mediaType: TYPES.image, digest: digestOf(newBytes()), size: 512 };
      const { bytes, type } = makeManifest({ manifests: [missing] }, { type: TYPES.index });
      const expected = {
        status: [400, 404],
        code: ["MANIFEST_BLOB_UNKNOWN", "MANIFEST_UNKNOWN", "BLOB_UNKNOWN"],
      };
      await here.ask("PUT", "manifests/1.0", expected, { headers: { "content-type": type }, body: bytes });
    },
  },
  ...["{", "[]", "null", ""].map((body): Row => ({
    section: "Error Codes",
    sentence: "code-6 MANIFEST_INVALID manifest invalid",
    of: body === "" ? "no bytes" : body,
    async prove(here) {
      const question = { headers: { "content-type": TYPES.image }, body };
      await here.ask("PUT", "manifests/1.0", { status: 400, code: "MANIFEST_INVALID" }, question);
    },
  })),
  {
    section: "Endpoints",
    sentence: "end-7 PUT /v2/<name>/manifests/<reference> 201 404/413",
    of: "a reference that is neither a tag nor a digest",
    async prove(here) {
      const image = await makeImage(here);
      const question = { headers: { "content-type": image.type }, body: image.bytes };
      for (const reference of ["-first", ".first", "a%20b", "a+b"])
        await here.ask("PUT", `manifests/${reference}`, { status: [400, 404] }, question);
    },
  },
];
