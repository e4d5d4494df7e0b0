/** An attack, and the tools that it may use. */
import type { Answer, Sent } from "./requests.ts";
import type { RunningServer, ServerOptions } from "./server-process.ts";
import type { Lack } from "./verdict.ts";

export interface Attack {
  /** The item of the threat model in decisions/009-threat-model.md. */
  item: number;
  name: string;
  /** The property that must hold, in a sentence. */
  bound: string;
  /** Only with `--long`: attacks that take minutes. */
  isLong?: boolean;
  /** @throws only for the unexpected; broken bounds are reported to `stage.check` */
  run: (stage: Stage) => Promise<void>;
}

/** One line of the table in bench/README.md. Undefined: not measured. */
export interface Figure {
  item: number;
  name: string;
  /** Size as sent, in bytes. */
  sentBytes?: number;
  /** Status, and what the attack counted. */
  outcome: string;
  /** Size as received, in bytes. */
  answerBytes?: number;
  /** The longest stretch of the event loop in milliseconds: wall clock and CPU time. */
  blockMs?: number;
  blockCpuMs?: number;
  /** The same for the busiest worker, in CPU time. */
  workerCpuMs?: number;
  /** The most memory above that of the idle server, in bytes. */
  memoryBytes?: number;
}

export interface Stage {
  /** The short form runs in `npm run test:clients`: smaller numbers, the same bounds. */
  readonly isShort: boolean;
  readonly isLong: boolean;
  readonly seed: number;
  /** The server that attacks share; started on first use, and again when an attack has ended it. */
  target: () => Promise<RunningServer>;
  /** A server of its own for the attack; it is ended afterwards. */
  server: (options?: ServerOptions) => Promise<RunningServer>;
  /** A data folder for the attack's own servers, which use it in turn; it is removed afterwards. */
  dataDir: () => string;
  /** Reports what does not hold; returns true when it does. */
  check: (holds: boolean, problem: string) => boolean;
  /** Adds a line to the table. */
  report: (name: string, outcome: string, figure?: Partial<Figure>) => void;
  /** Reports what this machine cannot try, and what it lacks; the attack then does not count as held (`verdict.ts`). */
  notTried: (name: string, reason: string, lacks: Lack) => void;
  /** Measures `work` and checks the bounds on memory and on stuck threads. */
  measure: <Result>(
    server: RunningServer,
    name: string,
    work: () => Promise<Result>,
  ) => Promise<Measured<Result>>;
  /** Sends one request, checks all bounds of a single request and adds a line to the table. */
  strike: (server: RunningServer, name: string, sent: Sent) => Promise<Answer>;
  /** An address that no other attack uses. */
  address: (number?: number) => string;
}

export interface Measured<Result> {
  result: Result;
  figure: Pick<Figure, "blockMs" | "blockCpuMs" | "workerCpuMs" | "memoryBytes">;
  /** CPU time of the whole server, in milliseconds. */
  cpuMs: number;
}

/**
 * A 501 means that this server does not have the part, a 503 that says when to come back is intended, a 507 reports a
 * full disk; other 5xx are failures.
 */
export function isFailure({ status, headers }: Pick<Answer, "status" | "headers">): boolean {
  if (status < 500) return false;
  if (status === 503) return !isWait(headers["retry-after"]);
  return status !== 501 && status !== 507;
}

/** Whole seconds, at least one. */
export function isWait(retryAfter: string | undefined): boolean {
  return retryAfter !== undefined && /^[1-9]\d{0,5}$/.test(retryAfter);
}
