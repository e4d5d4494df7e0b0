/** Blobs pushed in one request, and mounted. */
import { beginUpload, octets, pushBlob } from "../content.ts";
import { ALGORITHMS, digestOf, newBytes, withParameter } from "../repository.ts";
import type { Row } from "../row.ts";

const eachAlgorithm = ALGORITHMS.flatMap((algorithm): Row[] => [
  {
    section: "POST then PUT",
    sentence:
      "Upon successful completion of the request, the response MUST have code 201 Created and MUST have the following header: Location: <blob-location> With <blob-location> being a pullable blob URL.",
    of: algorithm,
    async prove(here) {
      const bytes = newBytes();
      const digest = digestOf(bytes, algorithm);
      const at = withParameter(await beginUpload(here), "digest", digest);
      const headers = { "docker-content-digest": digest };
      const done = await here.ask("PUT", at, { status: 201, headers }, { headers: octets, body: bytes });
      await here.ask("GET", done.location, { status: 200, body: bytes });
    },
  },
  {
    section: "Single POST",
    sentence:
      "Successful completion of the request MUST return a 201 Created and MUST include the following header: Location: <blob-location>",
    of: algorithm,
    async prove(here) {
      const bytes = newBytes();
      const digest = digestOf(bytes, algorithm);
      const question = { headers: octets, body: bytes };
      // A registry that wants a PUT as well says so with 202.
      const done = await here.ask(
        "POST",
        `blobs/uploads/?digest=${digest}`,
        { status: [201, 202] },
        question,
      );
      const last = withParameter(done.location, "digest", digest);
      const { location } =
        done.status === 201 ? done : await here.ask("PUT", last, { status: 201 }, question);
      await here.ask("GET", location, { status: 200, body: bytes });
    },
  },
  {
    section: "Single POST",
    sentence: "Likewise, the <digest> MUST match the blob's digest.",
    of: algorithm,
    async prove(here) {
      const digest = digestOf("something else", algorithm);
      const question = { headers: octets, body: newBytes() };
      await here.ask("POST", `blobs/uploads/?digest=${digest}`, { status: [400, 202] }, question);
      await here.ask("HEAD", `blobs/${digest}`, { status: 404 });
    },
  },
  {
    section: "Endpoints",
    sentence: "end-6 PUT /v2/<name>/blobs/uploads/<reference>?digest=<digest> 201 404/400",
    of: `a digest that is not that of the bytes, ${algorithm}`,
    async prove(here) {
      const bytes = newBytes();
      const digest = digestOf("something else", algorithm);
      const at = withParameter(await beginUpload(here), "digest", digest);
      await here.ask("PUT", at, { status: 400, code: "DIGEST_INVALID" }, { headers: octets, body: bytes });
      await here.ask("HEAD", `blobs/${digest}`, { status: 404 });
      await here.ask("HEAD", `blobs/${digestOf(bytes, algorithm)}`, { status: 404 });
    },
  },
  {
    section: "Mounting a blob from another repository",
    sentence:
      "The response to a successful mount MUST be 201 Created, and MUST contain the following header: Location: <blob-location>",
    of: algorithm,
    async prove(here, there) {
      const { bytes, digest } = await pushBlob(there, newBytes(), algorithm);
      const path = `blobs/uploads/?mount=${digest}&from=${there.name}`;
      const { location } = await here.ask("POST", path, { status: 201 });
      await here.ask("GET", location, { status: 200, body: bytes });
      await here.ask("GET", `blobs/${digest}`, { status: 200, body: bytes });
    },
  },
]);

export const blobRows: readonly Row[] = [
  {
    section: "POST then PUT",
    sentence:
      "Upon success, the response MUST have a code of 202 Accepted, and MUST include the following header: Location: <location>",
    prove: (here) => here.ask("POST", "blobs/uploads/", { status: 202, headers: { location: /./ } }),
  },
  {
    section: "POST then PUT",
    sentence: "The <location> MUST contain a UUID representing a unique session ID for the upload to follow.",
    of: "two uploads have two",
    async prove(here) {
      const [one, other] = [await beginUpload(here), await beginUpload(here)];
      if (one === other) throw new Error(`Both are at ${one}.`);
    },
  },
  {
    section: "POST then PUT",
    sentence:
      "Optionally, the location MAY be absolute, or it MAY be relative. The <location> MAY contain critical query parameters.",
    of: "a client adds the digest to whatever it got",
    async prove(here) {
      const bytes = newBytes();
      const at = withParameter(
        withParameter(await beginUpload(here), "other", "1"),
        "digest",
        digestOf(bytes),
      );
      await here.ask("PUT", at, { status: 201 }, { headers: octets, body: bytes });
    },
  },
  {
    section: "Endpoints",
    sentence: "end-6 PUT /v2/<name>/blobs/uploads/<reference>?digest=<digest> 201 404/400",
    of: "no such upload",
    async prove(here) {
      const bytes = newBytes();
      const at = withParameter(await beginUpload(here), "digest", digestOf(bytes));
      await here.ask("PUT", at, { status: 201 }, { headers: octets, body: bytes });
      await here.ask(
        "PUT",
        at,
        { status: 404, code: "BLOB_UPLOAD_UNKNOWN" },
        { headers: octets, body: bytes },
      );
    },
  },
  {
    section: "Endpoints",
    sentence: "end-6 PUT /v2/<name>/blobs/uploads/<reference>?digest=<digest> 201 404/400",
    of: "no digest, or none that is one",
    async prove(here) {
      const question = { headers: octets, body: newBytes() };
      await here.ask("PUT", await beginUpload(here), { status: 400, code: "DIGEST_INVALID" }, question);
      const at = withParameter(await beginUpload(here), "digest", "sha256:baddigeststring");
      await here.ask("PUT", at, { status: 400, code: "DIGEST_INVALID" }, question);
    },
  },
  {
    section: "Mounting a blob from another repository",
    sentence:
      "The registry MAY treat the from parameter as optional, and it MAY cross-mount the blob if it can be found.",
    async prove(here, there) {
      const { bytes, digest } = await pushBlob(there);
      const { status, location } = await here.ask("POST", `blobs/uploads/?mount=${digest}`, {
        status: [201, 202],
      });
      if (status === 201) await here.ask("GET", location, { status: 200, body: bytes });
    },
  },
  ...["from=", "from=nobody/nothing"].map((from): Row => ({
    section: "Mounting a blob from another repository",
    sentence:
      "If a registry is unable to mount the requested blob, it SHOULD return a 202. This indicates that the upload session has begun and that the client MAY proceed with the upload.",
    of: `${from}, of a blob that is nowhere`,
    async prove(here) {
      const bytes = newBytes();
      const digest = digestOf(bytes);
      const { location } = await here.ask("POST", `blobs/uploads/?mount=${digest}&${from}`, { status: 202 });
      const at = withParameter(location, "digest", digest);
      await here.ask("PUT", at, { status: 201 }, { headers: octets, body: bytes });
      await here.ask("HEAD", `blobs/${digest}`, { status: 200 });
    },
  })),
  {
    section: "Mounting a blob from another repository",
    sentence:
      "If a registry is unable to mount the requested blob, it SHOULD return a 202. This indicates that the upload session has begun and that the client MAY proceed with the upload.",
    of: "the other repository does not have it",
    async prove(here, there) {
      const { digest } = await pushBlob(here);
      await there.ask("POST", `blobs/uploads/?mount=${digest}&from=${there.name}`, { status: [201, 202] });
      const missing = digestOf(newBytes());
      await here.ask("POST", `blobs/uploads/?mount=${missing}&from=${there.name}`, { status: 202 });
      await here.ask("HEAD", `blobs/${missing}`, { status: 404 });
    },
  },
  ...ALGORITHMS.map((algorithm): Row => ({
    section: "POST then PUT",
    sentence: "Here, <digest> is the digest of the blob being uploaded, and <length> is its size in bytes.",
    of: `no bytes, and {}, ${algorithm}`,
    async prove(here) {
      for (const content of ["", "{}"]) {
        const { digest } = await pushBlob(here, content, algorithm);
        await here.ask("GET", `blobs/${digest}`, { status: 200, body: content });
        await here.ask("HEAD", `blobs/${digest}`, {
          status: 200,
          headers: { "content-length": String(content.length) },
        });
      }
    },
  })),
  {
    section: "POST then PUT",
    sentence: "Upon successful completion of the request, the response MUST have code 201 Created",
    of: "the same blob twice, and two at once",
    async prove(here) {
      const { bytes, digest } = await pushBlob(here);
      await Promise.all([pushBlob(here, bytes), pushBlob(here, bytes)]);
      await here.ask("GET", `blobs/${digest}`, { status: 200, body: bytes });
    },
  },
  ...eachAlgorithm,
];
