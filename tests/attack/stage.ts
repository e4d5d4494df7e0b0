/** The tools of attacks: servers that are ended afterwards, measurements, problems, lines of the table. */
import { rmSync } from "node:fs";
import { type Attack, type Figure, isFailure, type Measured, type Stage } from "./attack.ts";
import { ANSWER_BYTES, MEMORY_BYTES, REQUEST_BYTES, STUCK_CPU_MS } from "./bounds.ts";
import { cpuSecondsOf, memoryOf, resetPeak } from "./memory.ts";
import type { Stretch } from "./probe.ts";
import { type Answer, clientAddress, send } from "./requests.ts";
import { newDataDir, type RunningServer, type ServerOptions, startServer } from "./server-process.ts";
import type { NotTried } from "./verdict.ts";

/** Addresses of one attack. */
const ADDRESSES_PER_ATTACK = 10_000;
/** Milliseconds for one attack. A soak of a million requests is the longest. */
const TIMEOUT_MS = { short: 120_000, usual: 1_800_000, long: 14_400_000 };
/** A shared server that does not answer `/health` by then is ended. */
const ALIVE_TIMEOUT_MS = 20_000;

export interface StageOptions {
  isShort: boolean;
  isLong: boolean;
  seed: number;
}

export interface Outcome {
  problems: string[];
  notTried: NotTried[];
  figures: Figure[];
}

export interface Theatre {
  perform: (attack: Attack) => Promise<Outcome>;
  close: () => Promise<void>;
  /** CPU time until now, of this process, of all that it has started and that has ended, and of the shared server. */
  cpuSeconds: () => number;
}

export function openTheatre(options: StageOptions): Theatre {
  let shared: RunningServer | undefined;
  async function target(): Promise<RunningServer> {
    if (shared && !(await isAlive(shared))) await endShared();
    return (shared ??= await startServer());
  }
  async function endShared(): Promise<void> {
    await shared?.kill();
    await shared?.stop();
    shared = undefined;
  }
  let attacks = 0;
  return {
    async perform(attack) {
      const outcome: Outcome = { problems: [], notTried: [], figures: [] };
      const own: RunningServer[] = [];
      const folders: string[] = [];
      const server = async (wanted?: ServerOptions) => {
        const started = await startServer(wanted);
        own.push(started);
        return started;
      };
      const first = ++attacks * ADDRESSES_PER_ATTACK;
      const stage = createStage(attack, outcome, {
        ...options,
        target,
        server,
        dataDir() {
          const folder = newDataDir();
          folders.push(folder);
          return folder;
        },
        address: (number = 0) => clientAddress(first + number),
      });
      await within(timeoutOf(options), attack.run(stage)).catch((error: unknown) => {
        outcome.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      });
      for (const one of own) await one.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      return outcome;
    },
    cpuSeconds: () => cpuSecondsOf(process.pid) + (shared ? cpuSecondsOf(shared.pid) : 0),
    async close() {
      await shared?.stop();
    },
  };
}

function timeoutOf({ isShort, isLong }: StageOptions): number {
  return isShort ? TIMEOUT_MS.short : isLong ? TIMEOUT_MS.long : TIMEOUT_MS.usual;
}

/** Rejects when `work` takes longer; its servers are then ended, and with them what it waits for. */
async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`It was not over after ${milliseconds / 1000} s.`)),
      milliseconds,
    );
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function isAlive(server: RunningServer): Promise<boolean> {
  if (!server.isRunning()) return false;
  const answer = await send(server.port, { path: "/health", timeoutMs: ALIVE_TIMEOUT_MS });
  return answer.status === 200;
}

function createStage(
  attack: Attack,
  outcome: Outcome,
  base: Omit<Stage, "check" | "report" | "notTried" | "measure" | "strike">,
): Stage {
  const check = (holds: boolean, problem: string) => {
    if (!holds) outcome.problems.push(problem);
    return holds;
  };
  const report: Stage["report"] = (name, result, figure = {}) => {
    outcome.figures.push({ item: attack.item, name, outcome: result, ...figure });
  };
  const measure: Stage["measure"] = async (server, name, work) => {
    await server.probe("reset");
    resetPeak(server.pid);
    const before = memoryOf(server.pid)?.resident ?? 0;
    const result = await work();
    const peak = memoryOf(server.pid)?.peak;
    const { main, workers, cpuMs } = await server.probe("read");
    const worker = longest(Object.values(workers));
    const memoryBytes = peak === undefined ? undefined : Math.max(0, peak - server.idleBytes);
    holdsBounds(check, name, { main, worker, memoryBytes, beforeBytes: before - server.idleBytes });
    const figure = {
      blockMs: main.wallMs,
      blockCpuMs: main.cpuMs,
      workerCpuMs: worker.cpuMs,
      ...(memoryBytes !== undefined && { memoryBytes }),
    };
    return { result, figure, cpuMs } satisfies Measured<unknown>;
  };
  return {
    ...base,
    check,
    report,
    notTried(name, reason, lacks) {
      outcome.notTried.push({ name, reason, lacks });
      report(name, `not tried: ${reason}`);
    },
    measure,
    async strike(server, name, sent) {
      const sentBytes = Buffer.byteLength(sent.body ?? "") + sent.path.length;
      check(sentBytes <= REQUEST_BYTES, `${name}: the attack itself is larger than 4 MB`);
      const { result, figure } = await measure(server, name, () =>
        send(server.port, { from: base.address(), ...sent }),
      );
      checkAnswer(check, name, result);
      const answer = result.failure ? `${result.status || "none"}: ${result.failure}` : String(result.status);
      report(name, answer, { sentBytes, answerBytes: result.body.length, ...figure });
      return result;
    },
  };
}

function longest(stretches: Stretch[]): Stretch {
  return stretches.reduce((a, b) => (a.cpuMs > b.cpuMs ? a : b), { wallMs: 0, cpuMs: 0 });
}

function holdsBounds(
  check: Stage["check"],
  name: string,
  found: { main: Stretch; worker: Stretch; memoryBytes: number | undefined; beforeBytes: number },
): void {
  for (const [thread, { cpuMs }] of [
    ["the event loop", found.main],
    ["a worker", found.worker],
  ] as const)
    check(
      cpuMs <= STUCK_CPU_MS,
      `${name}: ${thread} was kept for ${Math.round(cpuMs)} ms of CPU time at a stretch`,
    );
  const bytes = found.memoryBytes ?? 0;
  const mib = (count: number) => Math.round(count / 1_048_576);
  check(
    bytes <= MEMORY_BYTES,
    `${name}: ${mib(bytes)} MiB of memory above idle (${mib(found.beforeBytes)} before it), at most ${mib(MEMORY_BYTES)} are allowed`,
  );
}

function checkAnswer(check: Stage["check"], name: string, answer: Answer): void {
  // A connection that the server cut counts as an answer; one that hangs does not.
  check(!answer.failure?.startsWith("no answer"), `${name}: ${answer.failure}`);
  check(!isFailure(answer), `${name}: answered ${answer.status} ${answer.body.toString().slice(0, 200)}`);
  check(
    answer.body.length <= ANSWER_BYTES,
    `${name}: the answer has ${answer.body.length} bytes, at most ${ANSWER_BYTES} are allowed`,
  );
}
