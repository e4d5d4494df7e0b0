/** One builder of this machine: its users, and when it stops. */
import { rm } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { Log } from "#platform/log/log.ts";
import { type Builder, startBuilder } from "./builder.ts";
import { askUsage, forgetUsage, saveUsage } from "./ask-buildkitd.ts";
import type { ControlGroup, Limits } from "./control-groups.ts";
import { isFull, makeSpace } from "./disk.ts";
import { CPU_MEMORY_BYTES, MOST_MEMORY } from "./limits.ts";
import { type BuilderWant, folderOf, type Machine, shareMemory, type Slot } from "./machine.ts";
import { namesOf } from "./places.ts";
import { once } from "./turns.ts";

const DAY_SECONDS = 24 * 60 * 60;
/** Simultaneous steps per CPU: many of them wait for the network. */
const CPU_STEPS = 2;

interface Running {
  builder: Builder;
  group: ControlGroup | null;
}

/** @param prepare resolves with the path of buildkitd */
export function startSlot(
  machine: Machine,
  key: string,
  prepare: () => Promise<string>,
  want: BuilderWant,
): Slot {
  const { options } = machine;
  let users = 0;
  let idleSince: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let running: Running | null = null;
  let closing: Promise<void> | null = null;
  const started = prepare().then((buildkitd) => start(machine, want, buildkitd));
  const close = () => (closing ??= stop().finally(() => forget(machine, key)));
  async function stop(): Promise<void> {
    clearTimeout(timer);
    const opened = await started.catch(() => null);
    running = null;
    if (opened) await stopAll(machine, want, opened);
  }
  started.then(
    (opened) => {
      running = opened;
      void opened.builder.ended.then((told) => {
        if (!closing) warnOfEnd(options.log, key, told);
        void close();
      });
    },
    () => void close(),
  );
  const release = () => {
    users -= 1;
    if (users > 0 || closing) return;
    idleSince = performance.now();
    // A stopping server does not wait for the timer.
    timer = setTimeout(() => void close(), options.idleMs).unref();
    shareAnew(machine);
    if (running) void leave(machine, want, running, () => (users > 0 ? undefined : close()));
  };
  return {
    want,
    async take(wanted) {
      if (!closing && users === 0 && running && !isSame(want, wanted)) void close();
      if (closing) return closing.then(() => null);
      clearTimeout(timer);
      idleSince = null;
      users += 1;
      return prepareFor(machine, wanted, started).then(
        ({ socket, ended }) => ({ socket, ended, isNew: false, release: once(release) }),
        (error: unknown) => {
          release();
          throw error;
        },
      );
    },
    socket: () => running?.builder.socket ?? null,
    idleSince: () => idleSince,
    close,
  };
}

/** The builder may have ended while it was in use. */
function forget(machine: Machine, key: string): void {
  machine.slots.delete(key);
  shareAnew(machine);
}

/** Runs in the background. */
const shareAnew = (machine: Machine) =>
  void shareMemory(machine).catch((error: unknown) =>
    machine.options.log.debug("Could not redistribute memory among builders", { error }),
  );

async function prepareFor(machine: Machine, want: BuilderWant, started: Promise<Running>): Promise<Builder> {
  const { builder, group } = await started;
  await makeSpace(builder.socket, folderOf(machine, want));
  await group?.limit(limitsOf(machine, want));
  await shareMemory(machine);
  return builder;
}

const warnOfEnd = (log: Log, key: string, told: string) =>
  log.warn(`The builder of ${key} ended unexpectedly; the next build starts it again`, { told });

/** Keeps the builder of the key from being opened while its cache is changed. @param key one without a slot */
export async function holdSlot<Result>(
  { slots }: Pick<Machine, "slots">,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wait = () => promise;
  slots.set(key, {
    want: null,
    take: () => promise.then(() => null),
    socket: () => null,
    idleSince: () => null,
    close: wait,
  });
  try {
    return await work();
  } finally {
    slots.delete(key);
    resolve();
  }
}

/** Whether everything that buildkitd reads only at its start is the same. */
const isSame = (one: BuilderWant, other: BuilderWant) =>
  one.cacheBytes === other.cacheBytes && one.cacheDays === other.cacheDays && one.cpus === other.cpus;

function limitsOf({ options }: Machine, { cpus }: BuilderWant): Limits {
  const { cpuMemoryBytes = CPU_MEMORY_BYTES } = options;
  return { cpus, memoryBytes: Math.floor(Math.min(cpus * cpuMemoryBytes, totalmem() * MOST_MEMORY)) };
}

async function start(machine: Machine, want: BuilderWant, buildkitd: string): Promise<Running> {
  const { groups, options, places } = machine;
  const { key, run } = namesOf(want.projectId, want.platform);
  const group = await groups.open(want.organizationId, key);
  try {
    const builder = await startBuilder({
      buildkitd,
      folder: folderOf(machine, want),
      runFolder: join(places.runFolder, run),
      groupFolders: group?.folders ?? [],
      registryHost: options.registryHost,
      mirrored: options.mirrored,
      entitlements: options.entitlements,
      parallelism: want.cpus * CPU_STEPS,
      cache: { maxBytes: want.cacheBytes, unusedSeconds: want.cacheDays * DAY_SECONDS },
      listen: (server) => options.listen(server, want),
    });
    return { builder, group };
  } catch (error) {
    await group?.remove();
    throw error;
  }
}

/** Logs failures: no caller that waits could fix them. */
async function stopAll(machine: Machine, want: BuilderWant, { builder, group }: Running): Promise<void> {
  const { key, run } = namesOf(want.projectId, want.platform);
  try {
    await builder.stop();
    await group?.remove();
    await rm(join(machine.places.runFolder, run), { recursive: true, force: true });
  } catch (error) {
    machine.options.log.error(`The builder of ${key} did not stop cleanly`, { error });
  }
}

/**
 * Runs after the last build, which does not wait for it. On a full disk, the builder is restarted: buildkitd finds at its next
 * start what it could not note as removed. Otherwise, saves the size for reads when the builder does not run.
 */
async function leave(
  machine: Machine,
  want: BuilderWant,
  { builder }: Running,
  closeIdle: () => Promise<void> | undefined,
): Promise<void> {
  const folder = folderOf(machine, want);
  try {
    if (!(await isFull(folder))) return await saveUsage(folder, await askUsage(builder.socket));
    await closeIdle();
    await forgetUsage(folder);
  } catch (error) {
    machine.options.log.debug("The size of a layer cache was not saved", { error });
  }
}
