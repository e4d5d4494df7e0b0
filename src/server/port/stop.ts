/**
 * How the server ends once it serves; a start that fails ends by `runCommand`.
 *
 *   SIGTERM, SIGINT, SIGHUP, the launcher has ended, an uncaught error
 *     ─► health is red, no new clients, idle connections end
 *     ─► requests in flight finish           DRAIN_MS at most; a second signal ends the process immediately
 *     ─► databases and files are closed      CLOSE_MS at most
 *     ─► exit code 0, or 1 if anything was cut off, or after an error
 */
import type { ConnectionGuard } from "#platform/http/connections/connections.ts";
import { isClientAbort } from "#platform/http/connections/client-abort.ts";
import { DRAIN_MS, SAME_SIGNAL_MS } from "../limits.ts";
import { CLOSE_MS, isInTime } from "#platform/house/open-or-close.ts";

/** The part of `process` that is used here. */
export interface StoppableProcess {
  on: (event: string, listener: (value: unknown) => void) => unknown;
  exit: (code: number) => void;
}

/** The part of a server that is used here. */
export interface StoppableServer {
  /** Refuses new clients; `done` is called when the last connection has ended. */
  close: (done: () => void) => unknown;
  closeAllConnections: () => void;
}

export interface StopOptions {
  server: StoppableServer;
  /** Absent in development, where requests in flight are not waited for. */
  connections?: ConnectionGuard;
  /** Called when the server begins to stop, before any client is turned away. */
  onStop?: () => void;
  /** Writes pending data and releases `DATA_DIR`. */
  close: () => Promise<void>;
  /** Called with uncaught errors. */
  onError: (error: unknown) => void;
  drainMs?: number;
  closeMs?: number;
  /** Milliseconds from any origin. */
  clock?: () => number;
  process?: StoppableProcess;
  log?: (line: string) => void;
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"];

/** Ends the process when its launcher has ended, until `stopOnSignals` takes over: the next start handles half-written files. */
export function endWithLauncher(): void {
  process.once("disconnect", endAtOnce);
  // A process that failed to start must not wait for its launcher.
  process.channel?.unref();
}

const endAtOnce = () => process.exit(1);

/** Ends the process cleanly on a signal. */
export function stopOnSignals(options: StopOptions): void {
  const { clock = () => performance.now(), process: self = process } = options;
  const { log = (line: string) => console.log(line) } = options;
  let stoppingSince: number | null = null;

  function begin(code: number): void {
    if (stoppingSince !== null) return;
    stoppingSince = clock();
    options.onStop?.();
    void stop(options).then((isClean) => self.exit(isClean ? code : 1));
  }

  for (const signal of SIGNALS)
    self.on(signal, () => {
      if (stoppingSince === null) {
        log("Stopping: finishing requests in flight. A second signal ends the server immediately.");
        begin(0);
      } else if (clock() - stoppingSince >= SAME_SIGNAL_MS) self.exit(1);
    });
  process.off("disconnect", endAtOnce);
  // The launcher was killed: nothing else would ever end this process.
  self.on("disconnect", () => begin(0));
  self.on("uncaughtException", (error) => {
    // It comes from a connection without listeners; the server's state is not affected.
    if (isClientAbort(error)) return;
    options.onError(error);
    begin(1);
  });
}

/** @returns false when something had to be cut off. */
async function stop({ server, connections, close, ...options }: StopOptions): Promise<boolean> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  connections?.drain();
  const isDrained = !connections || (await isInTime(ended, options.drainMs ?? DRAIN_MS));
  server.closeAllConnections();
  const closed = close().catch((error: unknown) => {
    options.onError(error);
    throw error;
  });
  return (await isInTime(closed, options.closeMs ?? CLOSE_MS)) && isDrained;
}
