/** Whether to use the server. A build never waits for a server that is down, and reports it in one line. */
import { CliError, errorCode } from "../errors.ts";
import { cleanText } from "../text.ts";
import { MAX_FAILURES, MAX_REST_MS } from "./limits.ts";
import { type Answered, readAll, SILENT } from "./requester.ts";

export interface ServerState {
  /** Whether the server is off for the rest of this run. */
  isOff: () => boolean;
  /** Milliseconds that the server asks to wait, or 0. */
  restMs: () => number;
  succeeded: () => void;
  /** A request got no answer, or an invalid one. */
  failed: (error: unknown) => void;
  /** An answer has an unexpected status; reads its body. */
  refused: (answer: Answered) => Promise<void>;
  /** Resolves when all warnings are printed. */
  settled: () => Promise<unknown>;
}

interface StateOptions {
  origin: string;
  warn: (line: string) => void;
  /** Called once at most. */
  onOff: () => void;
}

const MAX_MESSAGE_BYTES = 16 * 1024;
const MAX_MESSAGE_LENGTH = 200;

export function createServerState({ origin, warn, onOff }: StateOptions): ServerState {
  let isOff = false;
  let failures = 0;
  let restUntil = 0;
  let saying: Promise<unknown> = Promise.resolve();

  function turnOff(line: string | Promise<string>): void {
    if (isOff) return;
    isOff = true;
    onOff();
    saying = Promise.resolve(line).then(warn);
  }

  return {
    isOff: () => isOff,
    restMs: () => Math.max(0, restUntil - Date.now()),
    succeeded: () => void (failures = 0),
    failed(error) {
      failures++;
      const code = errorCode(error);
      // A reset connection may work again; a server that is down will not return before this build ends.
      const mayPass = code === "" || code === "ECONNRESET" || code === "EPIPE" || code === "UND_ERR_SOCKET";
      if (failures >= MAX_FAILURES || !mayPass) turnOff(describe(error, origin));
    },
    async refused(answer) {
      const { status } = answer;
      const message = await readMessage(answer);
      if (status === 429 || status === 503) {
        restUntil =
          Date.now() + Math.min(MAX_REST_MS, 1000 * Math.max(1, Number(answer.headers["retry-after"]) || 1));
        return;
      }
      if (status >= 500 && ++failures < MAX_FAILURES) return;
      turnOff(`${status}${status === 401 ? "" : message}, using the local directory`);
    },
    settled: () => saying,
  };
}

/** ` project tokens may not use the cache` from a Millrace answer; "" from others. */
async function readMessage({ body }: Answered): Promise<string> {
  try {
    const value: unknown = JSON.parse((await readAll(body, MAX_MESSAGE_BYTES)).toString("utf8"));
    const message = typeof value === "object" && value !== null && "message" in value ? value.message : "";
    return typeof message === "string" && message !== ""
      ? ` ${cleanText(message).slice(0, MAX_MESSAGE_LENGTH)}`
      : "";
  } catch {
    body.destroy();
    return "";
  }
}

async function describe(error: unknown, origin: string): Promise<string> {
  const code = errorCode(error);
  if (code === "" || code === SILENT || code === "ABORT_ERR") {
    const inWords = error instanceof Error ? error.message : String(error);
    const message = code === "ABORT_ERR" ? "the server is too slow" : inWords;
    return `${cleanText(message).slice(0, MAX_MESSAGE_LENGTH)}, using the local directory`;
  }
  const { networkError } = await import("../network-errors.ts");
  const known = await networkError(error, new URL(origin));
  return `using the local directory: ${known instanceof CliError ? known.message : String(error)}`;
}
