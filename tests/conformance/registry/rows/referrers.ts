/** Artifacts that refer to another manifest, and the lists of them. */
import { expect } from "vitest";
import {
  type Descriptor,
  describeBlob,
  makeManifest,
  pushArtifact,
  pushBlob,
  pushImage,
  putManifest,
  TYPES,
} from "../content.ts";
import { ALGORITHMS, type Answer, digestOf, type Repository } from "../repository.ts";
import type { Row } from "../row.ts";

const SBOM = "application/vnd.example.sbom.v1";
const SIGNATURE = "application/vnd.example.signature.v1";
const EMPTY = "If a query results in no matching referrers, an empty manifest list MUST be returned.";
const ACCEPTED =
  "A registry MUST initially accept an otherwise valid manifest with a subject field that references a manifest that does not exist in the repository, allowing clients to push a manifest and referrers to that manifest in either order.";

interface Listed {
  schemaVersion: number;
  mediaType: string;
  manifests: Descriptor[];
}

async function listReferrers(
  here: Repository,
  digest: string,
  query = "",
): Promise<{ found: Descriptor[]; answer: Answer }> {
  const headers = { "content-type": TYPES.index };
  const answer = await here.ask("GET", `referrers/${digest}${query}`, { status: 200, headers });
  const { schemaVersion, mediaType, manifests } = answer.json() as Listed;
  expect({ schemaVersion, mediaType }).toEqual({ schemaVersion: 2, mediaType: TYPES.index });
  return { found: manifests, answer };
}

const byDigest = (one: Descriptor, other: Descriptor) => (one.digest < other.digest ? -1 : 1);

async function pushBoth(here: Repository) {
  const { descriptor: subject } = await pushImage(here, { tag: "1.0" });
  const annotations = { "org.example.format": "json" };
  const sbom = await pushArtifact(here, { subject, artifactType: SBOM, annotations });
  const signature = await pushArtifact(here, { subject, artifactType: SIGNATURE });
  return {
    subject,
    sbom: { ...sbom.descriptor, artifactType: SBOM, annotations },
    signature: { ...signature.descriptor, artifactType: SIGNATURE },
  };
}

const missingSubject = ALGORITHMS.map((algorithm): Row => ({
  section: "Push",
  sentence: ACCEPTED,
  of: algorithm,
  async prove(here) {
    const subject = { mediaType: TYPES.image, digest: digestOf("not there", algorithm), size: 123 };
    const { digest } = await pushArtifact(here, { subject, artifactType: SBOM });
    const { found } = await listReferrers(here, subject.digest);
    expect(found.map((one) => one.digest)).toEqual([digest]);
  },
}));

async function listsIndex(here: Repository): Promise<void> {
  const { descriptor: subject } = await pushImage(here);
  const plain = makeManifest({ manifests: [], subject }, { type: TYPES.index });
  const annotations = { "org.example.of": "an index" };
  const typed = makeManifest(
    { manifests: [], subject, artifactType: SBOM, annotations },
    { type: TYPES.index },
  );
  for (const index of [plain, typed])
    await putManifest(here, index, { headers: { "oci-subject": subject.digest } });
  const { found } = await listReferrers(here, subject.digest);
  const wanted = [plain.descriptor, { ...typed.descriptor, artifactType: SBOM, annotations }];
  expect(found.toSorted(byDigest)).toEqual(wanted.toSorted(byDigest));
}

export const referrerRows: readonly Row[] = [
  {
    section: "Pushing Manifests with Subject",
    sentence:
      "A registry implementation that supports the referrers API MUST respond with the response header OCI-Subject: <subject digest> to indicate to the client that the registry processed the request's subject.",
    async prove(here) {
      const { descriptor: subject } = await pushImage(here);
      await pushArtifact(here, { subject, artifactType: SBOM });
      const plain = await pushImage(here);
      await putManifest(here, plain, { headers: { "oci-subject": null } });
    },
  },
  ...missingSubject,
  {
    section: "Listing Referrers",
    sentence:
      "The descriptors MUST include an artifactType field that is set to the value of the artifactType in the image manifest or index, if present. The descriptors MUST include annotations from the image manifest or index.",
    async prove(here) {
      const { subject, sbom, signature } = await pushBoth(here);
      const { found, answer } = await listReferrers(here, subject.digest);
      expect(found.toSorted(byDigest)).toEqual([sbom, signature].toSorted(byDigest));
      expect(answer.headers["oci-filters-applied"]).toBeUndefined();
    },
  },
  {
    section: "Listing Referrers",
    sentence:
      "If the artifactType is empty or missing in the image manifest, the value of artifactType MUST be set to the config descriptor mediaType value.",
    async prove(here) {
      const { descriptor: subject } = await pushImage(here);
      const config = describeBlob(await pushBlob(here, "{}"), SIGNATURE);
      for (const artifactType of [undefined, ""])
        await putManifest(here, makeManifest({ config, layers: [], subject, artifactType }));
      const { found } = await listReferrers(here, subject.digest);
      expect(found.map((one) => one.artifactType)).toEqual([SIGNATURE, SIGNATURE]);
    },
  },
  {
    section: "Listing Referrers",
    sentence: "If the artifactType is empty or missing in an index, the artifactType MUST be omitted.",
    prove: listsIndex,
  },
  {
    section: "Listing Referrers",
    sentence:
      "If filtering is requested and applied, the response MUST include a header OCI-Filters-Applied: artifactType denoting that an artifactType filter was applied.",
    async prove(here) {
      const { subject, sbom, signature } = await pushBoth(here);
      for (const wanted of [sbom, signature]) {
        const query = `?artifactType=${encodeURIComponent(wanted.artifactType)}`;
        const { found, answer } = await listReferrers(here, subject.digest, query);
        expect(found).toEqual([wanted]);
        expect(answer.headers["oci-filters-applied"]).toBe("artifactType");
      }
    },
  },
  {
    section: "Listing Referrers",
    sentence: EMPTY,
    of: "no such type",
    async prove(here) {
      const { subject } = await pushBoth(here);
      const { found } = await listReferrers(here, subject.digest, "?artifactType=application/nothing");
      expect(found).toEqual([]);
    },
  },
  {
    section: "Listing Referrers",
    sentence: EMPTY,
    of: "a digest that is nowhere: If the registry supports the referrers API, the registry MUST NOT return a 404 Not Found",
    async prove(here) {
      const image = await pushImage(here);
      expect((await listReferrers(here, image.digest)).found).toEqual([]);
      expect((await listReferrers(here, digestOf("nowhere"))).found).toEqual([]);
      expect((await listReferrers(here, digestOf("nowhere", "sha512"))).found).toEqual([]);
    },
  },
  {
    section: "Listing Referrers",
    sentence: EMPTY,
    of: "an empty repository, and referrers in another one",
    async prove(here, there) {
      const { subject } = await pushBoth(there);
      expect((await listReferrers(here, subject.digest)).found).toEqual([]);
    },
  },
  ...["sha256:baddigeststring", "latest", "sha256:"].map((digest): Row => ({
    section: "Listing Referrers",
    sentence:
      "If the request is invalid, such as a <digest> with an invalid syntax, a 400 Bad Request MUST be returned.",
    of: digest,
    prove: (here) => here.ask("GET", `referrers/${digest}`, { status: 400 }),
  })),
];
