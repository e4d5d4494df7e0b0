import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import { LOCK_FILES } from "./lock-files.ts";
import type { Commit } from "./read-commit.ts";

export interface Subject {
  name: string;
  /** In hexadecimal. */
  sha256: string;
}

/** Identifies the meaning of the fields below; the URN need not resolve. */
const BUILD_TYPE = "urn:millrace:release:v1";
const BUILDER = "urn:millrace:release-script";

/** A release's files and their sources: an in-toto statement with SLSA provenance 1.0. Without a time, so that it is reproducible. */
export async function describeProvenance({
  commit,
  subjects,
}: {
  commit: Commit;
  subjects: Subject[];
}): Promise<object> {
  const locks = LOCK_FILES.map(async ({ file }) => {
    const sha256 = createHash("sha256")
      .update(await readFile(join(root, file)))
      .digest("hex");
    return { name: file, digest: { sha256 } };
  });
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { command: "npm run release" },
        internalParameters: { node: process.version, sourceDateEpoch: commit.time },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: commit.id } },
          ...(await Promise.all(locks)),
        ],
      },
      runDetails: { builder: { id: BUILDER } },
    },
  };
}
