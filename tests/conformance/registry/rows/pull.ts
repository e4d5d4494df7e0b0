/** Manifests and blobs that exist, and missing ones. */
import { makeManifest, octets, pushBlob, pushImage, TYPES } from "../content.ts";
import { ALGORITHMS, digestOf, newBytes, type Repository } from "../repository.ts";
import type { Row } from "../row.ts";

const UNKNOWN = digestOf("no one has pushed this");
const BLOB_OF_2048 = 2_048;

interface RangeCase {
  range: string;
  from: number;
  to: number;
}

const RANGES: readonly RangeCase[] = [
  { range: "bytes=500-1499", from: 500, to: 1_499 },
  { range: "bytes=500-", from: 500, to: BLOB_OF_2048 - 1 },
  { range: "bytes=-500", from: BLOB_OF_2048 - 500, to: BLOB_OF_2048 - 1 },
  { range: "bytes=2000-5000", from: 2_000, to: BLOB_OF_2048 - 1 },
  { range: "bytes=0-0", from: 0, to: 0 },
];

const rangeRows = RANGES.map(({ range, from, to }): Row => ({
  section: "Pulling blobs",
  sentence: "A registry SHOULD support the Range request header in accordance with RFC 9110.",
  of: range,
  async prove(here) {
    const { bytes, digest } = await pushBlob(here, newBytes(BLOB_OF_2048));
    const headers = {
      "content-length": String(to - from + 1),
      "content-range": `bytes ${from}-${to}/${BLOB_OF_2048}`,
    };
    const expected = { status: 206, headers, body: bytes.subarray(from, to + 1) };
    await here.ask("GET", `blobs/${digest}`, expected, { headers: { range } });
  },
}));

const unsatisfiable = ["bytes=500-0", "bytes=5000-10000"].map((range): Row => ({
  section: "Pulling blobs",
  sentence: "A registry SHOULD support the Range request header in accordance with RFC 9110.",
  of: `${range} of ${BLOB_OF_2048} bytes`,
  async prove(here) {
    const { digest } = await pushBlob(here, newBytes(BLOB_OF_2048));
    await here.ask("GET", `blobs/${digest}`, { status: 416 }, { headers: { range } });
  },
}));

const eachAlgorithm = ALGORITHMS.flatMap((algorithm): Row[] => [
  {
    section: "Pulling blobs",
    sentence:
      "A GET request to an existing blob URL MUST provide the expected blob, with a response code that MUST be 200 OK.",
    of: algorithm,
    async prove(here) {
      const { bytes, digest } = await pushBlob(here, newBytes(), algorithm);
      const headers = { "content-length": String(bytes.length), "docker-content-digest": digest };
      await here.ask("GET", `blobs/${digest}`, { status: 200, headers, body: bytes });
    },
  },
  {
    section: "Pulling manifests",
    sentence:
      "A GET request to an existing manifest URL MUST provide the expected manifest, with a response code that MUST be 200 OK.",
    of: `by digest, ${algorithm}`,
    async prove(here) {
      const { bytes, digest, type } = await pushImage(here, { algorithm });
      const headers = { "content-type": type, "docker-content-digest": digest };
      await here.ask("GET", `manifests/${digest}`, { status: 200, headers, body: bytes });
    },
  },
  {
    section: "Checking if content exists in the registry",
    sentence:
      "A successful response SHOULD contain the size in bytes of the uploaded blob in the header Content-Length.",
    of: `a blob, ${algorithm}`,
    async prove(here) {
      const { bytes, digest } = await pushBlob(here, newBytes(), algorithm);
      const headers = { "content-length": String(bytes.length), "docker-content-digest": digest };
      await here.ask("HEAD", `blobs/${digest}`, { status: 200, headers, body: "" });
    },
  },
]);

async function headOfManifest(here: Repository, byTag: boolean): Promise<void> {
  const { bytes, digest, type } = await pushImage(here, { tag: "1.0" });
  const headers = {
    "content-length": String(bytes.length),
    "content-type": type,
    "docker-content-digest": digest,
  };
  await here.ask("HEAD", `manifests/${byTag ? "1.0" : digest}`, { status: 200, headers, body: "" });
}

export const pullRows: readonly Row[] = [
  {
    section: "Determining Support",
    sentence: "If the response is 200 OK, then the registry implements this specification.",
    prove: (here) => here.ask("GET", "/v2/", { status: 200 }),
  },
  {
    section: "Pulling manifests",
    sentence:
      "A GET request to an existing manifest URL MUST provide the expected manifest, with a response code that MUST be 200 OK.",
    of: "by tag",
    async prove(here) {
      const { bytes, digest, type } = await pushImage(here, { tag: "1.0" });
      const headers = { "content-type": type, "docker-content-digest": digest };
      await here.ask("GET", "manifests/1.0", { status: 200, headers, body: bytes });
    },
  },
  {
    section: "Pulling manifests",
    sentence: "The registry SHOULD NOT include parameters on the Content-Type header.",
    async prove(here) {
      await pushImage(here, { tag: "1.0" });
      await here.ask("GET", "manifests/1.0", { status: 200, headers: { "content-type": TYPES.image } });
    },
  },
  ...["latest", UNKNOWN].map((reference): Row => ({
    section: "Pulling manifests",
    sentence: "If the manifest is not found in the repository, the response code MUST be 404 Not Found.",
    of: reference,
    prove: (here) => here.ask("GET", `manifests/${reference}`, { status: 404, code: "MANIFEST_UNKNOWN" }),
  })),
  {
    section: "Pulling manifests",
    sentence: "If the manifest is not found in the repository, the response code MUST be 404 Not Found.",
    of: "it is in another repository",
    async prove(here, there) {
      const { digest } = await pushImage(there, { tag: "1.0" });
      await here.ask("GET", `manifests/${digest}`, { status: 404, code: "MANIFEST_UNKNOWN" });
    },
  },
  {
    section: "Pulling manifests",
    sentence: "The <reference> MUST NOT be in any other format.",
    of: "an invalid digest",
    prove: (here) => here.ask("GET", "manifests/sha256:baddigeststring", { status: [400, 404] }),
  },
  {
    section: "Pulling manifests",
    sentence: "<reference> as a tag MUST be at most 128 characters in length",
    async prove(here) {
      await pushImage(here, { tag: "t".repeat(128) });
      await here.ask("GET", `manifests/${"t".repeat(128)}`, { status: 200 });
      const { bytes } = makeManifest({});
      const question = { headers: { "content-type": TYPES.image }, body: bytes };
      await here.ask("PUT", `manifests/${"t".repeat(129)}`, { status: [400, 404] }, question);
    },
  },
  {
    section: "Pulling blobs",
    sentence: "If the blob is not found in the repository, the response code MUST be 404 Not Found.",
    prove: (here) => here.ask("GET", `blobs/${UNKNOWN}`, { status: 404, code: "BLOB_UNKNOWN" }),
  },
  {
    section: "Pulling blobs",
    sentence: "If the blob is not found in the repository, the response code MUST be 404 Not Found.",
    of: "it is in another repository",
    async prove(here, there) {
      const { digest } = await pushBlob(there);
      await here.ask("GET", `blobs/${digest}`, { status: 404, code: "BLOB_UNKNOWN" });
      await here.ask("HEAD", `blobs/${digest}`, { status: 404 });
    },
  },
  ...rangeRows,
  ...unsatisfiable,
  ...eachAlgorithm,
  {
    section: "Checking if content exists in the registry",
    sentence: "A HEAD request to an existing blob or manifest URL MUST return 200 OK.",
    of: "a manifest by tag",
    prove: (here) => headOfManifest(here, true),
  },
  {
    section: "Checking if content exists in the registry",
    sentence: "A HEAD request to an existing blob or manifest URL MUST return 200 OK.",
    of: "a manifest by digest",
    prove: (here) => headOfManifest(here, false),
  },
  ...[`blobs/${UNKNOWN}`, `manifests/${UNKNOWN}`, "manifests/latest"].map((path): Row => ({
    section: "Checking if content exists in the registry",
    sentence:
      "If the blob or manifest is not found in the repository, the response code MUST be 404 Not Found.",
    of: path,
    prove: (here) => here.ask("HEAD", path, { status: 404 }),
  })),
  {
    section: "Pulling blobs",
    sentence: "If present, the value of this header MUST be a digest matching that of the response body.",
    of: "a blob of no bytes",
    async prove(here) {
      const { digest } = await pushBlob(here, "");
      const headers = { "content-length": "0", "docker-content-digest": digest };
      await here.ask("GET", `blobs/${digest}`, { status: 200, headers, body: "" });
      const at = await here.ask(
        "POST",
        `blobs/uploads/?digest=${digest}`,
        { status: [201, 202] },
        { headers: octets },
      );
      if (at.status === 201) await here.ask("GET", at.location, { status: 200, body: "" });
    },
  },
];
