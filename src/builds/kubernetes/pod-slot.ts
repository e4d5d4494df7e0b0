/** One builder of the cluster as this server uses it: its users, warm time and end. Other servers may use the same pod. */
import { askUsage } from "../machine/ask-buildkitd.ts";
import type { BuilderPlace, BuilderWant, Slot } from "../machine/machine.ts";
import { type Cluster, noteUse, pause, readPod, removeUnused, saveUsage } from "./cluster.ts";
import { DOUBT_MS, RENEW_MS } from "./limits.ts";
import { judgePod, type Pod } from "./pod-state.ts";
import { type StartedPod, startPod } from "./start-pod.ts";

/** Timers fire a little early. */
const LATER_MS = 50;

export function startPodSlot(cluster: Cluster, key: string, want: BuilderWant): Slot {
  const slot = new PodSlot(cluster, key, want);
  return {
    want,
    take: () => slot.take(),
    socket: () => slot.socket(),
    idleSince: () => slot.idleSince,
    close: () => slot.close(),
  };
}

class PodSlot {
  readonly #cluster: Cluster;
  readonly #key: string;
  readonly #want: BuilderWant;
  readonly #started: Promise<StartedPod>;
  readonly #ended = Promise.withResolvers<string>();
  #running: StartedPod | null = null;
  #users = 0;
  #hasTold = false;
  #isInDoubt = false;
  #renewing: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closing: Promise<void> | null = null;
  idleSince: number | null = null;

  constructor(cluster: Cluster, key: string, want: BuilderWant) {
    this.#cluster = cluster;
    this.#key = key;
    this.#want = want;
    this.#started = startPod(cluster, want, () => void this.#lookAfterLoss());
    this.#started.then(
      (started) => {
        this.#running = started;
        this.#renewing = setInterval(() => void this.#look(this.#users > 0), RENEW_MS).unref();
      },
      () => void this.close(),
    );
  }

  /** @returns null when it has stopped, and a new slot is needed */
  async take(): Promise<BuilderPlace | null> {
    const stopped = this.#whenClosed();
    if (stopped) return stopped;
    clearTimeout(this.#idle);
    this.idleSince = null;
    this.#users += 1;
    try {
      const { socket, isNew } = await this.#started;
      if (this.#users === 1) await this.#look(true);
      const gone = this.#whenClosed();
      if (gone) return await gone;
      const isFirst = isNew && !this.#hasTold;
      this.#hasTold = true;
      return {
        socket,
        ended: this.#ended.promise,
        isReason: true,
        isNew: isFirst,
        release: this.#once(() => this.#release()),
      };
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  socket(): string | null {
    return this.#closing ? null : (this.#running?.socket ?? null);
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop().finally(() => this.#cluster.slots.delete(this.#key));
    return this.#closing;
  }

  #whenClosed(): Promise<null> | null {
    return this.#closing && this.#closing.then(() => null);
  }

  #once(run: () => void): () => void {
    let hasRun = false;
    return () => {
      if (hasRun) return;
      hasRun = true;
      run();
    };
  }

  #release(): void {
    this.#users -= 1;
    if (this.#users > 0 || this.#closing) return;
    const { idleMs } = this.#cluster.options;
    this.idleSince = performance.now();
    this.#idle = setTimeout(() => void this.close(), idleMs + LATER_MS).unref();
    if (this.#running) void this.#rest(this.#running, idleMs);
  }

  /** Saves the cache's size for reads when the builder does not run. */
  async #rest({ name, socket }: StartedPod, warmMs: number): Promise<void> {
    try {
      await noteUse(this.#cluster, name, { warmMs });
      await saveUsage(this.#cluster, this.#want, await askUsage(socket));
    } catch (error) {
      this.#cluster.options.log.debug("Could not record in the cluster that a builder is idle", { error });
    }
  }

  /** A connection ends before the cluster knows the state of the pod. */
  async #lookAfterLoss(): Promise<void> {
    if (this.#isInDoubt) return;
    this.#isInDoubt = true;
    const begun = performance.now();
    while (performance.now() - begun < DOUBT_MS && (await this.#look(false))) await pause(begun);
    this.#isInDoubt = false;
  }

  /** Checks the pod. @param isUse also notes its use in the cluster. @returns whether the pod is still there */
  async #look(isUse: boolean): Promise<boolean> {
    const { options } = this.#cluster;
    const running = this.#running ?? (await this.#started.catch(() => null));
    if (!running || this.#closing) return false;
    let pod: Pod | null;
    try {
      pod = isUse
        ? await noteUse(this.#cluster, running.name, { used: true })
        : readPod(await options.api.get("pods", running.name));
    } catch (error) {
      // Builds need the pod, not the API, and continue without it.
      options.log.warn("Could not read the state of a builder's pod", { pod: running.name, error });
      return false;
    }
    const state = pod ? judgePod(pod) : ({ is: "over", why: "the builder's pod is gone" } as const);
    if (state.is !== "over" || this.#closing) return !this.#closing;
    if (this.#users > 0) options.log.warn(`A builder has ended: ${state.why}`, { pod: running.name });
    this.#ended.resolve(state.why);
    await this.close();
    return false;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const running = await this.#started.catch(() => null);
    clearInterval(this.#renewing);
    this.#running = null;
    if (!running) return;
    try {
      // Stays warm for another server, unless this one was the last.
      await noteUse(this.#cluster, running.name, { warmMs: 0 });
      await removeUnused(this.#cluster, running.name);
    } catch (error) {
      this.#cluster.options.log.warn("Could not remove a builder's pod. Retrying later.", { error });
    }
    await running.bridge.close();
    this.#ended.resolve("the builder was stopped");
  }
}
