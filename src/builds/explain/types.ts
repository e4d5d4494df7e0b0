/**
 * The input of this folder: plain records of builds, as in the database. All of it comes from other people's files and clients:
 * nothing here is trusted to be short, unique or free of cycles.
 */

/** What identifies a step in another build. */
export interface StepHead {
  /** BuildKit's digest. It includes the client's session, so it differs from build to build. */
  id: string;
  /** From 1, in the order in which BuildKit listed them. */
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
  /** Milliseconds since 1970; null before that. */
  startedAt: number | null;
  finishedAt: number | null;
  /** Milliseconds of work, without pauses. */
  durationMs: number;
}

/** Used to choose the build to compare with. */
export interface BuildHead {
  id: string;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** The server whose layer cache it used; "": unknown, or all servers share one. */
  server: string;
  target: string;
  branch: string;
}

/** The inputs of a build: large. */
export interface BuildMaterial {
  arguments: Readonly<Record<string, Value>>;
  /** Null for a failed build: BuildKit writes no provenance for it. */
  recipe: Recipe | null;
  /** The files of the client's folders, by the name of the context. Null when they were not seen. */
  files: Readonly<Record<string, ContextFiles>> | null;
}

/** The build whose step is explained. */
export interface ExplainedBuild extends BuildHead {
  /** BuildKit's `no-cache`: null when the build did not request it, "" for all stages, otherwise their names. */
  withoutCache: string | null;
  steps: readonly StepRecord[];
}

/** Earlier builds to compare with. They may be large: each is read only when it is needed. */
export interface Past {
  /** From the same project, newest first. */
  builds: readonly BuildHead[];
  /** Empty for a build that no longer exists. */
  readSteps: (buildId: string) => Promise<readonly StepHead[]>;
  /** Also works for the explained build. */
  readMaterial: (buildId: string) => Promise<BuildMaterial>;
  /** The resets and overflows of the caches between two builds. */
  readHistory: (since: number, until: number) => Promise<CacheHistory>;
}

/** A text that two builds may share, and that must not be shown if it is a secret. */
export interface Value {
  /** Equal only for equal texts. */
  fingerprint: string;
  /** Safe to show: "***" for what looks like a secret. */
  shown: string;
}

export interface ContextFiles {
  /** By path, from the root of the context, without a slash in front. */
  files: ReadonlyMap<string, SeenFile>;
  /** False when there were more files than the server keeps. */
  isWhole: boolean;
}

/** A file as a client has reported it. */
export interface SeenFile {
  /** Go's file mode: permissions, and bits for its kind. */
  mode: number;
  size: number;
  /** Nanoseconds since 1970. */
  modifiedAt: string;
  /** The target of a symbolic link. */
  link: string;
  /** Distinguishes two contents of one file; null when a builder had the file and did not request its content. */
  digest: string | null;
}

/** A build as BuildKit's provenance describes it. */
export interface Recipe {
  /** By BuildKit's digests of the steps. */
  steps: Readonly<Record<string, StepRecipe>>;
  /** Digests of base images and commits of sources, by their addresses. */
  sources: Readonly<Record<string, string>>;
}

export interface StepRecipe {
  /** With the names of arguments in place of their values: `["/bin/sh", "-c", "echo $VERSION"]`. */
  command: readonly string[];
  variables: Readonly<Record<string, Value>>;
  folder: string;
  user: string;
  /** Names of secrets and SSH agents: only the names are part of the cache key. */
  secrets: readonly string[];
  reads: readonly FilesRead[];
  /** Line of the Dockerfile, from 1; 0 when it is unknown. */
  line: number;
}

export interface FilesRead {
  /** The name of the context. */
  context: string;
  /** Patterns from the root of the context; "" for all of it. */
  paths: readonly string[];
}

/** `lost`: the layer existed and is gone. `first`: nothing like it was built before. */
export type CauseKind =
  "file" | "argument" | "instruction" | "base" | "lost" | "secret" | "platform" | "first" | "unknown";

export interface Cause {
  kind: CauseKind;
  name: string;
  before: string;
  after: string;
}

/** Why layers were removed from the project's cache. */
export interface CacheHistory {
  /** `platform`: "" for all. `at`: milliseconds since 1970. */
  resets: readonly { platform: string; at: number }[];
  /** When the cache of a platform last exceeded its limit: the least recently used layers were removed. */
  overflows: readonly { platform: string; at: number }[];
  /** Layers that were not used for this many days are removed. */
  unusedDays: number;
}

export interface Explanation {
  /** One sentence. */
  summary: string;
  /** What must be fixed first comes first. */
  causes: readonly Cause[];
  /** "" when there is none. */
  comparedBuildId: string;
}
