/** The interface of builders, and what all builders of this machine share. */
import type { Server } from "node:net";
import { join } from "node:path";
import type { Log } from "#platform/log/log.ts";
import type { Capability } from "./capability.ts";
import type { CacheUsage } from "./ask-buildkitd.ts";
import type { ControlGroups } from "./control-groups.ts";
import { namesOf, type Places } from "./places.ts";
import type { SpoiledCache } from "./spoiled-caches.ts";
import type { TurnOptions, Turns, TurnsOptions } from "./turns.ts";

export type { TurnOptions };

export interface BuilderWant {
  organizationId: string;
  projectId: string;
  /** `linux/amd64` */
  platform: string;
  cpus: number;
  cacheBytes: number;
  cacheDays: number;
}

export interface BuilderPlace {
  /** Socket of BuildKit's API, unprotected. */
  socket: string;
  /** Resolves with its last output when it has ended. */
  ended: Promise<string>;
  /** Whether that output is the reason for the end, in words for people. */
  isReason?: true;
  /** Whether the builder was started for this caller. */
  isNew: boolean;
  /** Call once, when the build has ended; the builder stays warm for `idleMs` after its last build. */
  release: () => void;
}

export interface Builders {
  /** Starts or finds a builder; resolves when it is ready, later if all places are taken. @throws Error with what to do */
  open: (want: BuilderWant, options?: TurnOptions) => Promise<BuilderPlace>;
  usage: (projectId: string) => Promise<readonly ({ platform: string } & CacheUsage)[]>;
  /** Keeps what running builds use. @param platform absent: all */
  reset: (projectId: string, platform?: string) => Promise<{ freedBytes: number }>;
  /** Whether all servers share the same builders, as in a cluster. */
  isShared?: true;
  /** Ids of the projects that have layer caches here. */
  projects: () => Promise<readonly string[]>;
  /** Platforms that this machine can build, native ones first, then emulated. */
  platforms: () => readonly string[];
  /** What it can and cannot run now; checked on each call. */
  check: () => Promise<readonly Capability[]>;
  /** The machine of the builders; null: they are pods of a cluster. */
  machine: () => Promise<MachineState | null>;
  close: () => Promise<void>;
}

export interface RunningBuilder extends Pick<
  BuilderWant,
  "organizationId" | "projectId" | "platform" | "cpus"
> {
  /** No build uses it. */
  isWarm: boolean;
}

export interface MachineState {
  /** The system's host name. */
  name: string;
  platforms: string[];
  cpus: number;
  memoryBytes: number;
  /** Free space on the disk with the layer caches. */
  freeBytes: number;
  builders: RunningBuilder[];
}

export interface BuildersOptions {
  /** The server's data folder; it must exist, and no other server uses it. */
  dataFolder: string;
  /** Called at the start with layer caches that cannot be used, before they are reset. */
  noteSpoiled: (caches: readonly SpoiledCache[]) => Promise<void>;
  /** Called at each start of a builder. @throws Error that says how to get it */
  findBuildkitd: () => Promise<string>;
  /** Whether it exists, without installing it: "" if it can be installed now, null for none. @throws Error for a wrong name */
  locateBuildkitd: () => Promise<string | null>;
  /** The command for an operator to prepare this machine. */
  setupCommand: string;
  /** The path of the buildx that this server hands out, if it exists. */
  buildx: string;
  idleMs: number;
  /** The host in image names: `localhost:3000`. */
  registryHost: string;
  /** Other registries whose images this server caches. */
  mirrored: readonly string[];
  /** Memory per CPU of a builder; default: `builder.memory` of the limits. */
  cpuMemoryBytes?: number;
  /** Entitlements that the operator allows: `network.host`, `security.insecure`. */
  entitlements: readonly string[];
  /** Fewer builders at work, for tests. */
  turns?: TurnsOptions;
  /** Handles connections to the registry from inside a builder: the listener identifies the project. */
  listen: (server: Server, whose: Pick<BuilderWant, "organizationId" | "projectId">) => void;
  log: Log;
}

/** One builder: its users, and when it stops. */
export interface Slot {
  /** Null when it has stopped, and a new slot is needed. @throws Error when it cannot start */
  take: (want: BuilderWant) => Promise<BuilderPlace | null>;
  /** What it was started for; null: its cache is being changed. */
  want: BuilderWant | null;
  /** Null unless it answers. */
  socket: () => string | null;
  /** Milliseconds of `performance.now`; null while it is in use or starting. */
  idleSince: () => number | null;
  close: () => Promise<void>;
}

/** State that all builders share. */
export interface Machine {
  options: BuildersOptions;
  places: Places;
  groups: ControlGroups;
  turns: Turns;
  slots: Map<string, Slot>;
}

/** A builder's folder, which is kept. */
export const folderOf = ({ places }: Machine, { projectId, platform }: BuilderWant): string =>
  join(places.folder, namesOf(projectId, platform).folder);

/** Limits the memory of organizations while several of them build. */
export const shareMemory = ({ groups, slots }: Machine): Promise<void> =>
  groups.share(
    new Set(listRunning(slots).flatMap(({ organizationId, isWarm }) => (isWarm ? [] : [organizationId]))),
  );

/** Builders in these slots that run or start. */
export const listRunning = (slots: ReadonlyMap<string, Slot>): RunningBuilder[] =>
  [...slots.values()].flatMap(({ want, idleSince }) => {
    if (!want) return [];
    const { organizationId, projectId, platform, cpus } = want;
    return [{ organizationId, projectId, platform, cpus, isWarm: idleSince() !== null }];
  });
