/** What an attack is, and what it may use. */
import type { Answer, Sent } from "./requests.ts";
import type { RunningServer, ServerOptions } from "./server-process.ts";

export interface Attack {
  /** Of the threat model in decisions/009-threat-model.md. */
  item: number;
  name: string;
  /** What must hold, in a sentence. */
  bound: string;
  /** Only with `--long`: what takes minutes. */
  isLong?: boolean;
  /** @throws only for what nobody expected; what does not hold is told to `stage.check` */
  run: (stage: Stage) => Promise<void>;
}

/** One line of the table in bench/README.md. Undefined: not measured. */
export interface Figure {
  item: number;
  name: string;
  /** As sent, in bytes. */
  sentBytes?: number;
  /** Status, and what the attack counted. */
  outcome: string;
  /** As received, in bytes. */
  answerBytes?: number;
  /** The longest stretch of the event loop: wall clock and its CPU time, in milliseconds. */
  blockMs?: number;
  blockCpuMs?: number;
  /** The same of the busiest worker, in CPU time. */
  workerCpuMs?: number;
  /** The most above the idle server, in bytes. */
  memoryBytes?: number;
}

export interface Stage {
  /** The short form runs in `npm test`: smaller numbers, the same bounds. */
  readonly isShort: boolean;
  readonly isLong: boolean;
  readonly seed: number;
  /** The server that attacks share; started when it is first asked for, and again when an attack has ended it. */
  target: () => Promise<RunningServer>;
  /** One of the attack's own; it is ended after the attack. */
  server: (options?: ServerOptions) => Promise<RunningServer>;
  /** A data folder for servers of the attack's own, one after the other; it is removed after the attack. */
  dataDir: () => string;
  /** Tells what does not hold; true when it does. */
  check: (holds: boolean, problem: string) => boolean;
  /** Adds a line to the table. */
  report: (name: string, outcome: string, figure?: Partial<Figure>) => void;
  /** Measures `work` and holds the bounds on memory and on stuck threads. */
  measure: <Result>(
    server: RunningServer,
    name: string,
    work: () => Promise<Result>,
  ) => Promise<Measured<Result>>;
  /** Sends one request, holds all bounds of a single request and adds a line to the table. */
  strike: (server: RunningServer, name: string, sent: Sent) => Promise<Answer>;
  /** An address that no other attack has. */
  address: (number?: number) => string;
}

export interface Measured<Result> {
  result: Result;
  figure: Pick<Figure, "blockMs" | "blockCpuMs" | "workerCpuMs" | "memoryBytes">;
  /** CPU time of the whole server, in milliseconds. */
  cpuMs: number;
}

/** A 503 that says when to come back is the server's decision, a 507 says that the disk is full; others are failures. */
export function isFailure({ status, headers }: Pick<Answer, "status" | "headers">): boolean {
  if (status < 500) return false;
  if (status === 503) return !isWait(headers["retry-after"]);
  return status !== 507;
}

/** Whole seconds, at least one. */
export function isWait(retryAfter: string | undefined): boolean {
  return retryAfter !== undefined && /^[1-9]\d{0,5}$/.test(retryAfter);
}
