/** The interface of this room, and the shape of a build as callers see it. Times are milliseconds since 1970. */
import type { Caller, PageInput } from "#accounts/index.ts";
import type { Capability } from "../machine/capability.ts";
import type { MachineState, RunningBuilder } from "../machine/machine.ts";
import type { BuildState, StepState } from "../tables/schema.ts";

export interface Step {
  id: string;
  /** `#8`; "" before it has begun. */
  number: string;
  name: string;
  platform: string;
  state: StepState;
  cached: boolean;
  startedAt: number | null;
  finishedAt: number | null;
  durationMs: number;
  savedMs: number;
  error: string;
  exitCode: number;
  logLines: number;
  inputs: readonly string[];
}

export interface BuildWarning {
  message: string;
  detail: string;
  url: string;
  file: string;
  line: number;
}

export interface BuildAttestation {
  type: string;
  platform: string;
  digest: string;
}

export interface BuildInputs {
  frontend: string;
  dockerfile: string;
  target: string;
  arguments: Readonly<Record<string, string>>;
  context: "local" | "git" | "http" | "none";
  namedContexts: Readonly<Record<string, string>>;
}

export interface BuildRegression {
  percent: number;
  comparedBuilds: number;
  stepId: string;
  stepName: string;
  sinceCommit: string;
}

/** How often the step that failed a build has failed in earlier builds of its project. */
export interface BuildFailure {
  stepId: string;
  /** Earlier builds that reached this step. */
  comparedBuilds: number;
  /** Those that failed at it. */
  failedBuilds: number;
  /** "": none. */
  lastFailedBuildId: string;
}

/** The part of a file that a build failed at. Lines count from 1. */
export interface BuildSource {
  file: string;
  firstLine: number;
  lines: readonly string[];
  failedFrom: number;
  failedTo: number;
}

/** Claims that a job's issuer vouched for. */
export interface BuildJob {
  subject: string;
  pullRequest: string;
  pullRequestUrl: string;
  workflow: string;
  runUrl: string;
}

/** Details of a build beyond its row. Lists leave out the ones that may be long. */
export interface BuildDetails {
  warnings: readonly BuildWarning[];
  attestations: readonly BuildAttestation[];
  inputs: BuildInputs | null;
  criticalPath: readonly string[];
  regression: BuildRegression | null;
  failure: BuildFailure | null;
  /** Null: the cache was used. "": it was not used at all; otherwise, the stages that did not use it, separated by commas. */
  withoutCache: string | null;
  source: BuildSource | null;
  job: BuildJob | null;
}

export interface Build extends BuildDetails {
  id: string;
  projectId: string;
  project: string;
  organization: string;
  state: BuildState;
  waitsFor: "" | "client" | "builder" | "place";
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  stepsTotal: number;
  stepsCached: number;
  stepsDone: number;
  steps: readonly Step[];
  image: string;
  digest: string;
  error: string;
  canceledBy: string;
  labels: Readonly<Record<string, string>>;
  saveTags: readonly string[];
  branch: string;
  commitSha: string;
  createdBy: string;
  platforms: readonly string[];
  logLines: number;
  savedMs: number;
  usualMs: number;
  contextBytes: number;
}

export interface LogLine {
  sequence: number;
  /** `#8` */
  step: string;
  stepId: string;
  stream: "stdout" | "stderr" | "status";
  text: string;
  time: number;
}

export interface CreateInput {
  projectId: string;
  save: boolean;
  saveTags: readonly string[];
  labels: Readonly<Record<string, string>>;
  branch: string;
  commitSha: string;
}

export interface ListInput extends PageInput {
  projectId: string;
  states: readonly string[];
  query: string;
  branch: string;
  createdBy: string;
  platform: string;
  sort: string;
}

export interface BuildPage {
  builds: readonly Build[];
  nextPageToken: string;
  counts: Readonly<Record<string, number>>;
}

export interface EndpointInput {
  buildId: string;
  platform: string;
  /** Whether the client can go through a tunnel. */
  tunnel?: boolean;
}

export interface Endpoint {
  /** "": clients must use the tunnel. */
  address: string;
  serverName: string;
  caCertificate: string;
  clientCertificate: string;
  clientKey: string;
  expiresAt: number;
  tunnelPath: string;
  tunnelToken: string;
}

export interface StepCause {
  kind: string;
  name: string;
  before: string;
  after: string;
}

export interface Explanation {
  summary: string;
  causes: readonly StepCause[];
  comparedBuildId: string;
}

export interface LayerCache {
  platform: string;
  bytes: number;
  quotaBytes: number;
  layers: number;
}

export interface Capabilities {
  /** `machine`: its name; "": the cluster. */
  capabilities: readonly (Capability & { machine: string })[];
  /** This server's first. Empty where builders are pods of a cluster. */
  machines: readonly ServerMachine[];
}

/** A machine of this installation, as its server reports it. */
export interface ServerMachine extends Omit<MachineState, "builders"> {
  /** Whether this server is on it. */
  isHere: boolean;
  /** When its server last reported that it is alive. */
  heardAt: number;
  /** `projectId`: "" for projects of other organizations. */
  builders: readonly Omit<RunningBuilder, "organizationId">[];
}

/** All methods throw `Refused` for invalid input and for what the caller may not do. */
export interface Builds {
  create(caller: Caller, input: CreateInput): Promise<Build>;
  get(caller: Caller, buildId: string): Promise<Build>;
  list(caller: Caller, input: ListInput): Promise<BuildPage>;
  explain(caller: Caller, input: { buildId: string; stepId: string }): Promise<Explanation>;
  /** Waits until there is a place and a builder. */
  getEndpoint(caller: Caller, input: EndpointInput): Promise<Endpoint>;
  finish(
    caller: Caller,
    input: { buildId: string; succeeded: boolean; error: string; digest: string },
  ): Promise<Build>;
  cancel(caller: Caller, buildId: string): Promise<Build>;
  /** The whole build, then changes; `build` has no steps. An empty event keeps the stream alive. */
  watch(
    caller: Caller,
    buildId: string,
    signal: AbortSignal,
  ): AsyncGenerator<{ build?: Build; steps: readonly Step[] }>;
  logs(
    caller: Caller,
    input: { buildId: string; after: number },
    signal: AbortSignal,
  ): AsyncGenerator<LogLine>;
  platforms(caller: Caller): Promise<readonly string[]>;
  /** The time that unfinished builds have run, in milliseconds. @param projectId "": all of the organization */
  runningMs(of: { organizationId: string; projectId: string }): Promise<number>;
  /** The capabilities of every machine, checked now. Only operators see commands. */
  capabilities(caller: Caller): Promise<Capabilities>;
  cacheUsage(caller: Caller, projectId: string): Promise<readonly LayerCache[]>;
  /** Bytes of a project, or with "" of those of `layerCaches`; up to a minute old. What takes seconds counts as last known, or 0. */
  layerBytes(caller: Caller, projectId: string): Promise<number>;
  /** The layer caches of each project of the caller's organization, at most 500 projects; a project token sees only its own. */
  layerCaches(caller: Caller): Promise<readonly { projectId: string; caches: readonly LayerCache[] }[]>;
  /** @returns bytes. @param platform "": all */
  resetCache(caller: Caller, input: { projectId: string; platform: string }): Promise<number>;
}
