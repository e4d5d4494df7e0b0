/**
 * Preloaded into the server under attack (`node --import`), in its main thread and workers, to measure how
 * long each was unable to answer. A timer asks for a turn every 2 ms; a stretch is the time between two
 * turns, in wall clock and in CPU time of the thread, which a busy machine hardly changes. The runner asks
 * for the longest stretch over IPC. The timers only run between "reset" and "read": they keep a twentieth
 * of a core busy for each server.
 */
import { basename } from "node:path";
import { BroadcastChannel, isMainThread, threadId } from "node:worker_threads";
import { setClock } from "./shifted-clock.ts";

const TICK_MS = 2;
/** Shorter stretches of workers are not reported. */
const TOLD_MS = 5;
const CHANNEL = "attack-probe";
/** A worker that has not answered by then is reported as busy for that long. */
const WORKER_TIMEOUT_MS = 60_000;

/** In milliseconds. */
export interface Stretch {
  wallMs: number;
  cpuMs: number;
}

/** The server's report to the runner. */
export interface ProbeReport {
  id: number;
  main: Stretch;
  /** The longest stretch of each worker, by the name of its file. */
  workers: { [name: string]: Stretch };
  /** CPU time of all threads since the last reset. */
  cpuMs: number;
  /** After a garbage collection, where the server runs with --expose-gc. */
  heapBytes: number;
}

/** `reset` begins a new measurement, `read` ends it; each is answered with a report. */
export interface ProbeRequest {
  id: number;
  ask: "reset" | "read" | "collect";
  /** From now on, the server's clock differs from this machine's by this. */
  shiftMs?: number;
}

type ToWorker = { ping?: number; isMeasured: boolean };
type FromWorker = { name: string; stretch?: Stretch; hello?: true; pong?: number };

const noStretch = (): Stretch => ({ wallMs: 0, cpuMs: 0 });

function longer(a: Stretch, b: Stretch): Stretch {
  return { wallMs: Math.max(a.wallMs, b.wallMs), cpuMs: Math.max(a.cpuMs, b.cpuMs) };
}

/** Only this file sends on the channel. */
function listen<Message>(channel: BroadcastChannel, take: (message: Message) => void): void {
  channel.addEventListener("message", (event) => take((event as unknown as { data: Message }).data));
}

/** @returns what starts and stops the timer */
function createWatch(tell: (stretch: Stretch) => void): (isOn: boolean) => void {
  let timer: NodeJS.Timeout | undefined;
  function start(): NodeJS.Timeout {
    let at = performance.now();
    let cpu = process.threadCpuUsage();
    return setInterval(() => {
      const now = performance.now();
      const used = process.threadCpuUsage(cpu);
      const wallMs = now - at - TICK_MS;
      at = now;
      cpu = process.threadCpuUsage();
      tell({ wallMs, cpuMs: (used.user + used.system) / 1000 });
    }, TICK_MS).unref();
  }
  return (isOn) => {
    if (isOn) timer ??= start();
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function startWorkerProbe(): void {
  const channel = new BroadcastChannel(CHANNEL);
  const name = `${basename(process.argv[1] ?? "worker")} ${threadId}`;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  const say = (message: FromWorker) => channel.postMessage(message);
  const watch = createWatch((stretch) => {
    if (stretch.wallMs > TOLD_MS) say({ name, stretch });
  });
  // Other workers' messages arrive here too.
  listen<Partial<ToWorker>>(channel, ({ ping, isMeasured }) => {
    if (isMeasured !== undefined) watch(isMeasured);
    if (ping !== undefined) say({ name, pong: ping });
  });
  channel.unref();
  say({ name, hello: true });
}

const numberOf = (name: string) => name.slice(name.lastIndexOf(" ") + 1);

function startMainProbe(): void {
  let main = noStretch();
  let workers = new Map<string, Stretch>();
  let cpu = process.cpuUsage();
  const names = new Set<string>();
  const waiting = new Map<string, () => void>();
  /** Numbers of threads: their last messages may come after their end. */
  const ended = new Set<string>();
  process.on("worker", (worker) => {
    const number = String(worker.threadId);
    worker.once("exit", () => {
      ended.add(number);
      for (const name of [...names].filter((one) => numberOf(one) === number)) {
        names.delete(name);
        for (const [key, resolve] of waiting) if (key.startsWith(`${name} `)) resolve();
      }
    });
  });
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  const tellWorkers = (message: ToWorker) => channel.postMessage(message);
  /** Measurements under way: one may contain another. */
  let under = 0;
  const watch = createWatch((stretch) => (main = longer(main, stretch)));
  listen<FromWorker>(channel, ({ name, stretch, hello, pong }) => {
    if (hello) tellWorkers({ isMeasured: under > 0 });
    if (!ended.has(numberOf(name))) names.add(name);
    if (stretch) workers.set(name, longer(workers.get(name) ?? noStretch(), stretch));
    if (pong !== undefined) waiting.get(`${name} ${pong}`)?.();
  });

  /** Resolves when the workers have had their turn; one that is gone or stuck is skipped. */
  async function settle(id: number): Promise<void> {
    const turns = [...names].map(
      (name) =>
        new Promise<void>((resolve) => {
          const key = `${name} ${id}`;
          const giveUp = setTimeout(() => {
            names.delete(name);
            resolve();
          }, WORKER_TIMEOUT_MS);
          waiting.set(key, () => {
            clearTimeout(giveUp);
            waiting.delete(key);
            resolve();
          });
        }),
    );
    tellWorkers({ ping: id, isMeasured: under > 0 });
    await Promise.all(turns);
    // The stretch that has just ended is counted by the timer's next turn.
    await new Promise((resolve) => setTimeout(resolve, 2 * TICK_MS));
  }

  async function answer({ id, ask, shiftMs }: ProbeRequest): Promise<void> {
    if (shiftMs !== undefined) setClock(shiftMs);
    if (ask === "reset") {
      under++;
      watch(true);
    }
    await settle(id);
    if (ask === "collect") (globalThis as { gc?: () => void }).gc?.();
    const used = process.cpuUsage(cpu);
    const report: ProbeReport = {
      id,
      main,
      workers: Object.fromEntries(workers),
      cpuMs: (used.user + used.system) / 1000,
      heapBytes: process.memoryUsage().heapUsed + process.memoryUsage().external,
    };
    process.send?.(report);
    if (ask === "read" && under > 0 && --under === 0) {
      watch(false);
      tellWorkers({ isMeasured: false });
    }
    if (ask !== "reset") return;
    main = noStretch();
    workers = new Map();
    cpu = process.cpuUsage();
  }

  process.on("message", (message) => void answer(message as ProbeRequest));
  // If the attacker is killed, no server is left behind.
  process.on("disconnect", () => process.exit(1));
  // The server ends when it has nothing left to do, whether it is being measured or not.
  process.channel?.unref();
}

if (isMainThread) {
  if (process.send) startMainProbe();
} else startWorkerProbe();
