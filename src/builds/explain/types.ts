/**
 * What the questions of this folder are answered from: plain records of builds, as the database has them. All of it comes from
 * other people's files and clients: nothing here is trusted to be short, unique or free of circles.
 */

/** What a step is told by in another build. */
export interface StepHead {
  /** BuildKit's digest. It names the client's session too, so that it differs from build to build. */
  id: string;
  /** From 1, in the order in which BuildKit named them. */
  number: number;
  /** `[linux/arm64 deps 2/2] RUN pnpm install` */
  name: string;
  /** `linux/arm64` */
  platform: string;
  state: "waiting" | "running" | "succeeded" | "failed" | "canceled";
}

export interface StepRecord extends StepHead {
  inputs: readonly string[];
  isCached: boolean;
  /** Milliseconds since 1970; null before. */
  startedAt: number | null;
  finishedAt: number | null;
  /** Milliseconds of work, without pauses. */
  durationMs: number;
}

/** By what the build is found that another one is compared with. */
export interface BuildHead {
  id: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Whose layer cache it used; "": it is not known, or all servers have the same one. */
  server: string;
  target: string;
  branch: string;
}

/** What a build was made of: large. */
export interface BuildMaterial {
  arguments: Readonly<Record<string, Value>>;
  /** Absent for a build that failed: BuildKit then writes no provenance. */
  recipe: Recipe | null;
  /** What the client's folders held, by the name of the context. Absent for builds whose files were not seen. */
  files: Readonly<Record<string, ContextFiles>> | null;
}

/** The build of the step that is explained. */
export interface ExplainedBuild extends BuildHead {
  /** BuildKit's `no-cache`: null when the build did not ask for it, "" for all stages, else their names. */
  withoutCache: string | null;
  steps: readonly StepRecord[];
}

/** What it is compared with. A project's builds may be large: each is read only when it is needed. */
export interface Past {
  /** Of the same project, newest first. */
  builds: readonly BuildHead[];
  /** Nothing of one that is not there any more. */
  readSteps: (buildId: string) => Promise<readonly StepHead[]>;
  /** Also of the build that is explained. */
  readMaterial: (buildId: string) => Promise<BuildMaterial>;
  /** What happened to the caches between two builds. */
  readHistory: (since: number, until: number) => Promise<CacheHistory>;
}

/** A text that two builds may have in common, and that must not be shown if it is a secret. */
export interface Value {
  /** Equal for equal texts alone. */
  fingerprint: string;
  /** Safe to show: "***" for what looks like a secret. */
  shown: string;
}

export interface ContextFiles {
  /** By path, from the root of the context, without a slash in front. */
  files: ReadonlyMap<string, SeenFile>;
  /** False when there were more files than are kept. */
  isWhole: boolean;
}

/** What a client has told of a file. */
export interface SeenFile {
  /** As Go has it: permissions, and bits for its kind. */
  mode: number;
  size: number;
  /** Nanoseconds since 1970. */
  modifiedAt: string;
  /** Of a symbolic link. */
  link: string;
  /** Tells two contents of one file apart; null when a builder had the file and did not ask for its content. */
  digest: string | null;
}

/** What BuildKit's provenance says of a build. */
export interface Recipe {
  /** By BuildKit's digests of the steps. */
  steps: Readonly<Record<string, StepRecipe>>;
  /** Digests of base images and commits of sources, by their addresses. */
  sources: Readonly<Record<string, string>>;
}

export interface StepRecipe {
  /** With names in place of the values of arguments: `["/bin/sh", "-c", "echo $VERSION"]`. */
  command: readonly string[];
  variables: Readonly<Record<string, Value>>;
  folder: string;
  user: string;
  /** Of secrets and SSH agents: their names alone are a part of the key. */
  secrets: readonly string[];
  reads: readonly FilesRead[];
  /** In the Dockerfile, from 1; 0 when it is not known. */
  line: number;
}

export interface FilesRead {
  /** The name of the context. */
  context: string;
  /** Patterns from the root of the context; "" for all of it. */
  paths: readonly string[];
}

/** `lost`: the layer was there and is no more. `first`: nothing like it was built before. */
export type CauseKind =
  "file" | "argument" | "instruction" | "base" | "lost" | "secret" | "platform" | "first" | "unknown";

export interface Cause {
  kind: CauseKind;
  name: string;
  before: string;
  after: string;
}

/** What has removed layers of the project's cache. */
export interface CacheHistory {
  /** Platform "": all of them. Milliseconds since 1970. */
  resets: readonly { platform: string; at: number }[];
  /** When the cache of a platform was larger than it may be, for the last time: what was used least recently went. */
  overflows: readonly { platform: string; at: number }[];
  /** Layers that nobody has used for so long are removed. */
  unusedDays: number;
}

export interface Explanation {
  /** One sentence. */
  summary: string;
  /** What must be mended first stands first. */
  causes: readonly Cause[];
  /** "" when there is none. */
  comparedBuildId: string;
}
