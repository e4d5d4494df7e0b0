/**
 * 1. A repository is described in one sentence, without zero counts. 2. Attachments are counted; those without a name are named
 *    by their type. 3. A step of the history reads like its Dockerfile. 4. An invalid tag is reported with the rule for tags.
 * 5. References become Docker's names of the image.
 */
import { expect, test } from "vitest";
import {
  addressOfImage,
  cutDigest,
  describeAttached,
  describeRepository,
  describeStep,
  explainTag,
  isNamed,
  namePlatform,
  referenceOf,
  shortDigest,
} from "./image-words.ts";

const repository = (tags: number, saved_builds: number, stored: number, images: number) => ({
  project_id: "prj_7q4hx2n9ds",
  name: "web",
  tags: String(tags),
  saved_builds: String(saved_builds),
  stored_bytes: String(stored),
  image_bytes: String(images),
});

test("1. one sentence", () => {
  expect(describeRepository(repository(85, 61, 14.2e9, 22.7e9))).toBe(
    "24 tags and 61 saved builds. 14.2 GB stored for 22.7 GB of images: equal layers are kept once.",
  );
  expect(describeRepository(repository(1, 0, 5e6, 5e6))).toBe("1 tag. 5 MB stored.");
  expect(describeRepository(repository(2, 2, 9e6, 9e6))).toBe("2 saved builds. 9 MB stored.");
  expect(describeRepository(repository(0, 0, 0, 0))).toBe("0 tags.");
});

test("2. what is attached", () => {
  const of = (...names: string[]) => names.map((name) => ({ name, artifact_type: "application/x" }));
  expect(describeAttached(of("signature", "SBOM", "provenance"))).toBe("SBOM, provenance, 1 signature");
  expect(describeAttached(of("signature", "signature", "SBOM", "SBOM"))).toBe("2 × SBOM, 2 signatures");
  expect(describeAttached(of("", ""))).toBe("2 × application/x");
  expect(describeAttached([{ name: "", artifact_type: "" }])).toBe("another artifact");
  expect(describeAttached([])).toBe("nothing");
});

test.each([
  ["RUN /bin/sh -c corepack enable # buildkit", "RUN corepack enable"],
  ['/bin/sh -c #(nop)  CMD ["node"]', 'CMD ["node"]'],
  ["/bin/sh -c apt-get update", "RUN apt-get update"],
  ["/bin/sh -c #(nop) ADD file:9a1f03c7 in / ", "ADD /"],
  ["COPY node_modules ./node_modules # buildkit", "COPY node_modules ./node_modules"],
  ["WORKDIR /app", "WORKDIR /app"],
  ["", ""],
])("3. %s", (history, step) => expect(describeStep(history)).toBe(step));

test("4. tags", () => {
  for (const tag of ["main", "1.4", "_x", "A-b_c.d", "x".repeat(128)])
    expect(explainTag(tag)).toBeUndefined();
  for (const tag of ["", ".x", "-x", "a b", "a/b", "a:b", "<b>", "é", "x".repeat(129)])
    expect(explainTag(tag)).toMatch(/\.$/);
});

test("5. references", () => {
  const digest = `sha256:9a1f03c7d2${"0".repeat(50)}b81e`;
  expect(referenceOf({ tags: ["main", "77d01e4"], digest })).toBe("main");
  expect(referenceOf({ tags: [], digest })).toBe(digest);
  expect([isNamed({ tags: ["main"], digest }, digest), isNamed({ tags: ["main"], digest }, "mai")]).toEqual([
    true,
    false,
  ]);
  expect(addressOfImage("h/acme/web", "main")).toBe("h/acme/web:main");
  expect(addressOfImage("h/acme/web", digest)).toBe(`h/acme/web@${digest}`);
  expect([shortDigest(digest), cutDigest(digest)]).toEqual(["9a1f03c7", "sha256:9a1f03c7d2…b81e"]);
  expect(["linux/amd64", "linux/arm/v7", "windows/amd64", ""].map(namePlatform)).toEqual([
    "amd64",
    "arm/v7",
    "windows/amd64",
    "unknown",
  ]);
});
