/** Runs buildx, and passes on the signals that this process gets from a terminal or a CI system. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { CliError, errorCode } from "../errors.ts";
import { cleanText } from "../text.ts";

const SIGNALS: NodeJS.Signals[] = process.platform === "win32" ? ["SIGINT"] : ["SIGINT", "SIGTERM", "SIGHUP"];
/** The last line of a failed run. */
const ERROR = /^ERROR: (?:failed to build: )?(.*)$/;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

export interface BuildxRun {
  program: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Whether standard output is passed on or returned. */
  output?: "shown" | "read";
  /** Receives the lines of standard error, which is otherwise passed on. */
  onLine?: ((line: string) => void) | undefined;
  /** The user's progress mode: output that is not drawn needs no terminal, and passes through this process. */
  mode?: string | undefined;
  /** Its standard input: this process's own, nothing, or a text. */
  input?: "shared" | "none" | { text: string };
  interrupts: Interrupts;
}

export interface BuildxEnd {
  code: number;
  /** Its standard output, with `output: "read"`. */
  output: string;
  /** Why it failed: in its words, or where to find them; "" if it gave no reason. */
  error: string;
}

/** @throws CliError when it cannot be started */
export function runBuildx(run: BuildxRun): Promise<BuildxEnd> {
  const { program, args, env, output = "shown", onLine, mode = "auto", input = "shared", interrupts } = run;
  return new Promise((resolve, reject) => {
    const isRead = onLine !== undefined || !process.stderr.isTTY || !/^(?:auto|tty)$/.test(mode);
    let error = "";
    const takeLine = (line: string) => {
      error = ERROR.exec(line)?.[1] ?? error;
      onLine?.(line);
    };
    const child = spawn(program, args, {
      env,
      stdio: [
        typeof input === "object" ? "pipe" : input === "shared" ? "inherit" : "ignore",
        output === "read" ? "pipe" : "inherit",
        isRead ? "pipe" : "inherit",
      ],
    });
    // It may end before it has read everything.
    if (typeof input === "object") child.stdin?.on("error", () => {}).end(input.text);
    const release = interrupts.add((signal) => void child.kill(signal));
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk);
    });
    if (child.stderr) splitLines(child.stderr, takeLine);
    if (!onLine) child.stderr?.on("data", (chunk: string) => void process.stderr.write(chunk));
    child.on("error", (cause) => {
      release();
      reject(new CliError(`${program} cannot be started (${errorCode(cause)})`, undefined, cause));
    });
    child.on("close", (code, signal) => {
      release();
      const ended = code ?? 128 + (constants.signals[signal ?? "SIGKILL"] ?? 9);
      // Output that went directly to the terminal cannot be read.
      const elsewhere =
        isRead || ended === 0 ? "" : `buildx exited with code ${ended}: see the terminal for the reason`;
      resolve({
        code: ended,
        output: Buffer.concat(chunks).toString("utf8"),
        error: cleanText(error).trim() || elsewhere,
      });
    });
  });
}

const MAX_LINE = 1024 * 1024;

function splitLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = (lines.pop() ?? "").slice(0, MAX_LINE);
    for (const line of lines) onLine(line);
  });
  stream.on("end", () => {
    if (rest !== "") onLine(rest);
  });
}

/** Stops the work when a user interrupts the command. The second signal kills it. */
export interface Interrupts extends Disposable {
  /** The number of received signals. */
  count: number;
  /** The exit code for the first signal, as in shells: 130 for Ctrl-C. */
  exitCode: number;
  /** Aborted with the first signal. */
  signal: AbortSignal;
  /** @returns a function that removes it */
  add: (stop: (signal: NodeJS.Signals) => void) => () => void;
  /** Acts as if a signal had arrived, to end the other builds after one has failed. */
  stopAll: () => void;
}

export function watchInterrupts(): Interrupts {
  const stops = new Set<(signal: NodeJS.Signals) => void>();
  const abort = new AbortController();
  const interrupts: Interrupts = {
    count: 0,
    exitCode: 1,
    signal: abort.signal,
    add(stop) {
      stops.add(stop);
      return () => void stops.delete(stop);
    },
    stopAll() {
      abort.abort();
      // A terminal sends Ctrl-C to buildx as well. buildx tolerates two of them, and ends immediately at the third.
      for (const stop of stops) stop("SIGINT");
    },
    [Symbol.dispose]() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
  function onSignal(signal: NodeJS.Signals): void {
    if (++interrupts.count === 1) interrupts.exitCode = 128 + (constants.signals[signal] ?? 2);
    if (interrupts.count === 1) interrupts.stopAll();
    else for (const stop of stops) stop("SIGKILL");
  }
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return interrupts;
}
