/** Uploads in several requests: chunks in order and out of order, streams, an upload's progress and its cancellation. */
import { expect } from "vitest";
import { beginUpload, octets } from "../content.ts";
import {
  ALGORITHMS,
  type Algorithm,
  digestOf,
  newBytes,
  type Repository,
  withParameter,
} from "../repository.ts";
import type { Row } from "../row.ts";

const CHUNK = 1_024;
const BLOB = CHUNK * 3 - 5;

interface Chunked {
  bytes: Buffer;
  digest: string;
  /** The address for the next chunk. */
  at: string;
  /** Sends the bytes `from` to `to`, exclusive. @returns the address for the next chunk */
  patch: (from: number, to: number) => Promise<string>;
}

async function beginChunked(here: Repository, algorithm: Algorithm = "sha256"): Promise<Chunked> {
  const bytes = newBytes(BLOB);
  const upload: Chunked = {
    bytes,
    digest: digestOf(bytes, algorithm),
    at: await beginUpload(here),
    async patch(from, to) {
      const expected = { status: 202, headers: { range: `0-${to - 1}` } };
      const { location } = await here.ask("PATCH", upload.at, expected, chunkOf(bytes, from, to));
      upload.at = location;
      return location;
    },
  };
  return upload;
}

const chunkOf = (bytes: Buffer, from: number, to: number) => ({
  headers: { ...octets, "content-range": `${from}-${to - 1}` },
  body: bytes.subarray(from, to),
});

const closing = (upload: Chunked) => withParameter(upload.at, "digest", upload.digest);

async function isWhole(here: Repository, { bytes, digest }: Chunked, location: string): Promise<void> {
  await here.ask("GET", location, { status: 200, body: bytes });
  await here.ask("GET", `blobs/${digest}`, { status: 200, body: bytes });
}

const ORDER =
  "If a chunk is uploaded out of order, the registry MUST respond with a 416 Requested Range Not Satisfiable code.";
const CLOSED =
  "The response to a successful closing of the session MUST be 201 Created, and MUST contain the following header: Location: <blob-location>";

const eachAlgorithm = ALGORITHMS.flatMap((algorithm): Row[] => [
  {
    section: "Pushing a blob in chunks",
    sentence:
      "Each successful chunk upload MUST have a 202 Accepted response code, and MUST have the following headers: Location: <location> Range: 0-<end-of-range>",
    of: `three chunks, closed without a body, ${algorithm}`,
    async prove(here) {
      const upload = await beginChunked(here, algorithm);
      await upload.patch(0, CHUNK);
      await upload.patch(CHUNK, CHUNK * 2);
      await upload.patch(CHUNK * 2, BLOB);
      const { location } = await here.ask("PUT", closing(upload), { status: 201 }, { headers: octets });
      await isWhole(here, upload, location);
    },
  },
  {
    section: "Pushing a blob in chunks",
    sentence:
      "The final chunk MAY be uploaded using a PATCH request or it MAY be uploaded in the closing PUT request.",
    of: algorithm,
    async prove(here) {
      const upload = await beginChunked(here, algorithm);
      await upload.patch(0, CHUNK);
      await upload.patch(CHUNK, CHUNK * 2);
      const last = chunkOf(upload.bytes, CHUNK * 2, BLOB);
      const { location } = await here.ask("PUT", closing(upload), { status: 201 }, last);
      await isWhole(here, upload, location);
    },
  },
  {
    section: "Pushing a blob in chunks",
    sentence: CLOSED,
    of: `all in one chunk, ${algorithm}`,
    async prove(here) {
      const upload = await beginChunked(here, algorithm);
      await upload.patch(0, BLOB);
      const { location } = await here.ask("PUT", closing(upload), { status: 201 }, { headers: octets });
      await isWhole(here, upload, location);
    },
  },
  {
    section: "Pushing a blob in chunks",
    sentence: CLOSED,
    of: `streamed, without Content-Range and Content-Length, ${algorithm}`,
    async prove(here) {
      const upload = await beginChunked(here, algorithm);
      const headers = { ...octets, "transfer-encoding": "chunked" };
      const streamed = { headers, body: upload.bytes };
      upload.at = (await here.ask("PATCH", upload.at, { status: 202 }, streamed)).location;
      const { location } = await here.ask("PUT", closing(upload), { status: 201 }, { headers: octets });
      await isWhole(here, upload, location);
    },
  },
  {
    section: "Pushing a blob in chunks",
    sentence:
      "The closing PUT request MUST include the <digest> of the whole blob (not the final chunk) as a query parameter.",
    of: `a wrong one, ${algorithm}`,
    async prove(here) {
      const upload = await beginChunked(here, algorithm);
      await upload.patch(0, CHUNK);
      await upload.patch(CHUNK, BLOB);
      const wrong = withParameter(upload.at, "digest", digestOf(upload.bytes.subarray(CHUNK), algorithm));
      await here.ask("PUT", wrong, { status: 400, code: "DIGEST_INVALID" }, { headers: octets });
      await here.ask("HEAD", `blobs/${upload.digest}`, { status: 404 });
    },
  },
]);

/** After a 416, the upload continues where it was. */
async function recover(here: Repository, upload: Chunked, standsAt: number): Promise<void> {
  const range = standsAt === 0 ? /^0-/ : `0-${standsAt - 1}`;
  upload.at = (await here.ask("GET", upload.at, { status: 204, headers: { range } })).location;
}

const outOfOrder: Row[] = [
  {
    section: "Pushing a blob in chunks",
    sentence: ORDER,
    of: "the first chunk's range MUST begin with 0",
    async prove(here) {
      const upload = await beginChunked(here);
      await here.ask("PATCH", upload.at, { status: 416 }, chunkOf(upload.bytes, CHUNK, CHUNK * 2));
      await recover(here, upload, 0);
      await upload.patch(0, BLOB);
      await here.ask("PUT", closing(upload), { status: 201 }, { headers: octets });
    },
  },
  {
    section: "Pushing a blob in chunks",
    sentence: ORDER,
    of: "one that skips, one that repeats, and on from where it was",
    async prove(here) {
      const upload = await beginChunked(here);
      await upload.patch(0, CHUNK);
      for (const [from, to] of [
        [CHUNK * 2, BLOB],
        [0, CHUNK],
        [CHUNK - 1, CHUNK * 2],
      ] as const) {
        await here.ask("PATCH", upload.at, { status: 416 }, chunkOf(upload.bytes, from, to));
        await recover(here, upload, CHUNK);
      }
      await upload.patch(CHUNK, BLOB);
      const { location } = await here.ask("PUT", closing(upload), { status: 201 }, { headers: octets });
      await isWhole(here, upload, location);
    },
  },
  {
    section: "Pushing a blob in chunks",
    sentence: ORDER,
    of: "the chunk of the closing PUT",
    async prove(here) {
      const upload = await beginChunked(here);
      await upload.patch(0, CHUNK);
      await here.ask("PUT", closing(upload), { status: 416 }, chunkOf(upload.bytes, CHUNK * 2, BLOB));
      await recover(here, upload, CHUNK);
      const rest = chunkOf(upload.bytes, CHUNK, BLOB);
      const { location } = await here.ask("PUT", closing(upload), { status: 201 }, rest);
      await isWhole(here, upload, location);
    },
  },
];

export const chunkRows: readonly Row[] = [
  ...eachAlgorithm,
  ...outOfOrder,
  {
    section: "Pushing a blob in chunks",
    sentence:
      "The response to an active upload <location> MUST be a 204 No Content response code, and MUST have the following headers: Location: <location> Range: 0-<end-of-range>",
    async prove(here) {
      const upload = await beginChunked(here);
      // Without bytes there is no last byte: the header's value can be read as a number.
      const begun = await here.ask("GET", upload.at, { status: 204, headers: { location: /./ } });
      expect(begun.headers["range"] ?? "").toMatch(/^0-(-1|0)$/);
      await upload.patch(0, CHUNK);
      const headers = { location: /./, range: `0-${CHUNK - 1}` };
      await here.ask("GET", upload.at, { status: 204, headers, body: "" });
    },
  },
  {
    section: "Pushing a blob in chunks",
    sentence: "The <range> refers to the byte range of the chunk, and MUST be inclusive on both ends.",
    of: "one that has not as many bytes as its range says",
    async prove(here) {
      const upload = await beginChunked(here);
      const wrong = { ...chunkOf(upload.bytes, 0, CHUNK), body: upload.bytes.subarray(0, CHUNK - 1) };
      await here.ask("PATCH", upload.at, { status: [400, 416] }, wrong);
    },
  },
  ...["0", "-1023", "a-b", "1023-0"].map((range): Row => ({
    section: "Pushing a blob in chunks",
    sentence: "It MUST match the following regular expression: ^[0-9]+-[0-9]+$",
    of: range,
    async prove(here) {
      const upload = await beginChunked(here);
      const wrong = { headers: { ...octets, "content-range": range }, body: upload.bytes.subarray(0, CHUNK) };
      await here.ask("PATCH", upload.at, { status: [400, 416] }, wrong);
    },
  })),
  {
    section: "Endpoints",
    sentence: "end-5 PATCH /v2/<name>/blobs/uploads/<reference> 202 404/416",
    of: "an upload of another repository, and one that is done",
    async prove(here, there) {
      const upload = await beginChunked(here);
      const foreign = upload.at.replace(here.name, there.name);
      await there.ask(
        "PATCH",
        foreign,
        { status: 404, code: "BLOB_UPLOAD_UNKNOWN" },
        chunkOf(upload.bytes, 0, CHUNK),
      );
      await upload.patch(0, BLOB);
      await here.ask("PUT", closing(upload), { status: 201 }, { headers: octets });
      await here.ask("GET", upload.at, { status: 404, code: "BLOB_UPLOAD_UNKNOWN" });
    },
  },
];
