import { parseStepName } from "#platform/text/parse-step-name.ts";
import { explainStep } from "../explain/explain-step.ts";
import type {
  BuildMaterial,
  CacheHistory,
  ContextFiles,
  ExplainedBuild,
  SeenFile,
  StepRecipe,
  StepRecord,
  Value,
} from "../explain/types.ts";

/** @public All data of a build. */
export interface BuildRecord extends ExplainedBuild, BuildMaterial {}

/** @public A build for tests, with steps given by name, each based on the one before unless `inputs` says otherwise. */
export function makeBuild(parts: Partial<BuildRecord> = {}): BuildRecord {
  return {
    id: "bld_1",
    createdAt: 0,
    server: "",
    target: "",
    branch: "main",
    arguments: {},
    withoutCache: null,
    steps: [],
    recipe: null,
    files: null,
    ...parts,
  };
}

interface StepParts extends Partial<StepRecord> {
  name: string;
}

/** @public Ids are `prefix` and the number: as in BuildKit, no two builds share an id. */
export function makeSteps(prefix: string, steps: readonly StepParts[]): StepRecord[] {
  return steps.map((parts, index) => ({
    id: `${prefix}${index + 1}`,
    number: index + 1,
    platform: parseStepName(parts.name).platform ?? "linux/amd64",
    inputs: index === 0 ? [] : [`${prefix}${index}`],
    state: "succeeded",
    isCached: false,
    startedAt: index * 10,
    finishedAt: index * 10 + 10,
    durationMs: 10,
    ...parts,
  }));
}

/** @public */
export const value = (shown: string): Value => ({ fingerprint: shown, shown });

/** @public Files by path, with the digests of their contents. */
export const files = (digests: Record<string, string>): Record<string, ContextFiles> => ({
  context: {
    files: new Map(Object.entries(digests).map(([path, digest]) => [path, seenFile({ digest })])),
    isWhole: true,
  },
});

/** @public */
export const seenFile = (parts: Partial<SeenFile> = {}): SeenFile => ({
  mode: 0o644,
  size: 1,
  modifiedAt: "1",
  link: "",
  digest: null,
  ...parts,
});

/** @public */
export const recipe = (parts: Partial<StepRecipe>): StepRecipe => ({
  command: [],
  variables: {},
  folder: "/",
  user: "",
  secrets: [],
  reads: [],
  line: 1,
  ...parts,
});

/** @public @param read filled with the reads of each build */
export function explainAmong(
  build: BuildRecord,
  stepId: string,
  earlier: readonly BuildRecord[],
  {
    history = { resets: [], overflows: [], unusedDays: Infinity },
    read = [],
  }: { history?: CacheHistory; read?: string[] } = {},
) {
  const find = (what: string, buildId: string) => {
    read.push(`${what} of ${buildId}`);
    return [build, ...earlier].find(({ id }) => id === buildId)!;
  };
  return explainStep(build, stepId, {
    builds: earlier,
    readSteps: async (buildId) => find("steps", buildId).steps,
    readMaterial: async (buildId) => find("material", buildId),
    readHistory: async () => history,
  });
}
