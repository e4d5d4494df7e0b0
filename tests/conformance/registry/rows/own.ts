/** Promises of our pages beyond the specification. */
import { expect } from "vitest";
import { makeImage, makeManifest, pushBlob, pushImage, putManifest, TYPES } from "../content.ts";
import { digestOf, newBytes, type Repository, withParameter } from "../repository.ts";
import type { Row } from "../row.ts";

const section = "Our own promises";

async function anonymous(here: Repository, path: string): Promise<void> {
  const headers = { "www-authenticate": /^Bearer realm="[^"]+\/v2\/token",service="[^"]+"/ };
  await here.ask("GET", path, { status: 401, headers, code: "UNAUTHORIZED" }, { token: null });
}

export const ownRows: readonly Row[] = [
  {
    section,
    sentence: "There are no public images.",
    async prove(here) {
      const { digest } = await pushImage(here, { tag: "1.0" });
      for (const path of ["/v2/", "manifests/1.0", `manifests/${digest}`, "tags/list", `referrers/${digest}`])
        await anonymous(here, path);
    },
  },
  {
    section,
    sentence: "Every project has one image repository; the project has to exist before the first push.",
    async prove(here) {
      await here.ask("POST", "/v2/acme/not-there/blobs/uploads/", { status: 404, code: "NAME_UNKNOWN" });
      await here.ask("GET", "/v2/others/secret/tags/list", { status: 404, code: "NAME_UNKNOWN" });
    },
  },
  {
    section,
    sentence: "Mount a blob from another repository of the organization",
    of: "without from",
    async prove(here, there) {
      const { bytes, digest } = await pushBlob(there);
      await here.ask("POST", `blobs/uploads/?mount=${digest}`, { status: 201 });
      await here.ask("GET", `blobs/${digest}`, { status: 200, body: bytes });
    },
  },
  {
    section,
    sentence: "Pull manifests and blobs, with HEAD and range requests",
    of: "an answer that the client already has is not sent again",
    async prove(here) {
      const { digest } = await pushImage(here, { tag: "1.0" });
      const { headers } = await here.ask("GET", "manifests/1.0", { status: 200, headers: { etag: /./ } });
      const question = { headers: { "if-none-match": String(headers.etag) } };
      await here.ask("GET", `manifests/${digest}`, { status: 304, body: "" }, question);
    },
  },
  {
    section,
    sentence: "_catalog: no: use millrace projects list",
    async prove(here) {
      const { body } = await here.ask("GET", "/v2/_catalog", { status: 404, code: "UNSUPPORTED" });
      expect(body.toString("utf8")).toContain("millrace projects list");
    },
  },
  {
    section,
    sentence: "Docker schema 1: no",
    async prove(here) {
      const type = "application/vnd.docker.distribution.manifest.v1+prettyjws";
      const body = JSON.stringify({ schemaVersion: 1, name: here.name, tag: "1.0", fsLayers: [] });
      const expected = { status: [400, 405, 415], code: ["UNSUPPORTED", "MANIFEST_INVALID"] };
      await here.ask("PUT", "manifests/1.0", expected, { headers: { "content-type": type }, body });
    },
  },
  {
    section,
    sentence: "A blob that a manifest names stays: delete the manifest first.",
    async prove(here) {
      const { bytes } = await pushImage(here, { tag: "1.0" });
      const { layers } = JSON.parse(bytes.toString("utf8")) as { layers: { digest: string }[] };
      const at = `blobs/${layers[0]?.digest}`;
      await here.ask("DELETE", at, { status: [403, 405] });
      await here.ask("HEAD", at, { status: 200 });
    },
  },
  {
    section,
    sentence: "Unknown media types pass.",
    async prove(here) {
      const manifest = makeManifest(
        { anything: [1, 2, 3] },
        { type: "application/vnd.example.unheard+json" },
      );
      await putManifest(here, manifest, { reference: "unheard" });
      const headers = { "content-type": manifest.type };
      await here.ask("GET", "manifests/unheard", { status: 200, headers, body: manifest.bytes });
    },
  },
  {
    section,
    sentence: "Every blob that is not there is named.",
    async prove(here) {
      const missing = [digestOf(newBytes()), digestOf(newBytes())];
      const layers = missing.map((digest) => ({ mediaType: TYPES.layer, digest, size: 512 }));
      const { bytes, type } = await makeImage(here, { fields: { layers } });
      const expected = { status: 404, code: "MANIFEST_BLOB_UNKNOWN" };
      const { body } = await here.ask("PUT", "manifests/1.0", expected, {
        headers: { "content-type": type },
        body: bytes,
      });
      for (const digest of missing) expect(body.toString("utf8")).toContain(digest);
    },
  },
  {
    section,
    sentence:
      "A push by digest can name its tags: ?tag=1.0&tag=latest, as the next version of the specification has it.",
    async prove(here) {
      const image = await makeImage(here);
      const path = withParameter(withParameter(`manifests/${image.digest}`, "tag", "1.0"), "tag", "latest");
      const question = { headers: { "content-type": image.type }, body: image.bytes };
      const { headers } = await here.ask("PUT", path, { status: 201, headers: { "oci-tag": /./ } }, question);
      const told = String(headers["oci-tag"])
        .split(",")
        .map((tag) => tag.trim());
      expect(told.toSorted()).toEqual(["1.0", "latest"]);
      for (const tag of told) await here.ask("GET", `manifests/${tag}`, { status: 200, body: image.bytes });
    },
  },
];
