import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These take 40 s to three minutes each: begun last, each would keep everyone waiting alone. */
export const LONGEST = [
  "tests/clients/pages/builds-pages.test.ts",
  "tests/clients/pages/cache-pages.test.ts",
  "tests/deploy/upgrade.test.ts",
  "tests/deploy/release.test.ts",
  "tests/clients/pages/other-pages.test.ts",
  "tests/clients/builds/cache-limits.test.ts",
  "tests/deploy/builds-replicas.test.ts",
  "tests/clients/builds/crashes.test.ts",
  "tests/clients/cli-gocache.test.ts",
  "tests/clients/cache/bazel.test.ts",
  "tests/clients/cache/pants.test.ts",
  "tests/installations/upgrade.test.ts",
];

/** As Vitest orders files without results of a former run (large files first), but the longest before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return found === -1 ? LONGEST.length : found;
    };
    return sorted.sort((one, other) => place(one) - place(other));
  }
}
