/** What the room knows of builders, and what all builders of this machine share. */
import type { Server } from "node:net";
import { join } from "node:path";
import type { Log } from "#platform/log/log.ts";
import type { Capability } from "../capability.ts";
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
  /** Of BuildKit's API, without any protection. */
  socket: string;
  /** Resolves with what it said last, when it has ended. */
  ended: Promise<string>;
  /** Whether that is why it has ended, in words for people. */
  isReason?: true;
  /** Whether it was started for this one. */
  isNew: boolean;
  /** Once, when the build has ended; the builder stays warm for `idleMs` after the last one. */
  release: () => void;
}

export interface Builders {
  /** Starts or finds; resolves when it is ready, where all are at work after a while. @throws Error with what to do */
  open: (want: BuilderWant, options?: TurnOptions) => Promise<BuilderPlace>;
  usage: (projectId: string) => Promise<readonly ({ platform: string } & CacheUsage)[]>;
  /** What running builds use stays. @param platform absent: all */
  reset: (projectId: string, platform?: string) => Promise<{ freedBytes: number }>;
  /** Whether every server has the same ones, as in a cluster. */
  isShared?: true;
  /** Ids of the projects that have layer caches here. */
  projects: () => Promise<readonly string[]>;
  /** What this machine can build: natively, then by emulation. */
  platforms: () => readonly string[];
  /** What it can run at the moment, and what it cannot; asked anew each time. */
  check: () => Promise<readonly Capability[]>;
  /** The machine that they run on; null: they are pods of a cluster. */
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
  /** As the system calls it. */
  name: string;
  platforms: string[];
  cpus: number;
  memoryBytes: number;
  /** Of the disk with the layer caches. */
  freeBytes: number;
  builders: RunningBuilder[];
}

export interface BuildersOptions {
  /** The server's; it has to be there, and nobody else uses it. */
  dataFolder: string;
  /** Told of layer caches that cannot be used, before they are reset, at the start. */
  noteSpoiled: (caches: readonly SpoiledCache[]) => Promise<void>;
  /** Asked at each start of a builder. @throws Error that says how to get it */
  findBuildkitd: () => Promise<string>;
  /** Whether it is there, without getting it: "" for one that can be had at once, null for none. @throws Error for a wrong name */
  locateBuildkitd: () => Promise<string | null>;
  /** What an operator types to prepare this machine. */
  setupCommand: string;
  /** The file of the buildx that this server hands out, if it is there. */
  buildx: string;
  idleMs: number;
  /** As images name it: `localhost:3000`. */
  registryHost: string;
  /** Other registries that this server keeps images of. */
  mirrored: readonly string[];
  /** Memory for each CPU of a builder; default: `builder.memory` of the limits. */
  cpuMemoryBytes?: number;
  /** `network.host`, `security.insecure`: what the operator allows. */
  entitlements: readonly string[];
  /** Fewer builders at work, for tests. */
  turns?: TurnsOptions;
  /** Takes connections to the registry from inside a builder: of whose project they are is known from the listener. */
  listen: (server: Server, whose: Pick<BuilderWant, "organizationId" | "projectId">) => void;
  log: Log;
}

/** One builder: who uses it, and when it stops. */
export interface Slot {
  /** Null when it has stopped, and another one has to be made. @throws Error when it cannot start */
  take: (want: BuilderWant) => Promise<BuilderPlace | null>;
  /** Who it was started for; null: something is done to its cache. */
  want: BuilderWant | null;
  /** While it answers. */
  socket: () => string | null;
  /** Milliseconds of `performance.now`; null while it is used or starts. */
  idleSince: () => number | null;
  close: () => Promise<void>;
}

/** What is shared by all builders. */
export interface Machine {
  options: BuildersOptions;
  places: Places;
  groups: ControlGroups;
  turns: Turns;
  slots: Map<string, Slot>;
}

/** Of a builder, which is kept. */
export const folderOf = ({ places }: Machine, { projectId, platform }: BuilderWant): string =>
  join(places.folder, namesOf(projectId, platform).folder);

/** Bounds the memory of organizations, of which one or several build at the moment. */
export const shareMemory = ({ groups, slots }: Machine): Promise<void> =>
  groups.share(
    new Set(listRunning(slots).flatMap(({ organizationId, isWarm }) => (isWarm ? [] : [organizationId]))),
  );

/** Of the builders in these slots, those that run or start. */
export const listRunning = (slots: ReadonlyMap<string, Slot>): RunningBuilder[] =>
  [...slots.values()].flatMap(({ want, idleSince }) => {
    if (!want) return [];
    const { organizationId, projectId, platform, cpus } = want;
    return [{ organizationId, projectId, platform, cpus, isWarm: idleSince() !== null }];
  });
