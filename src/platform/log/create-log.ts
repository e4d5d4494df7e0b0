import { type DestinationStream, destination, pino, stdSerializers } from "pino";
import pretty from "pino-pretty";
import type { Log, LogFields, LogLevel } from "./log.ts";
import { createLineRedaction, redactFields } from "./redact.ts";
import { currentRequestId } from "./request-context.ts";

/** Bytes of lines that wait for the log's reader; further lines are dropped, so that the server keeps working. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** UTF-16 units of a message, which may repeat text from a client. */
const MAX_MESSAGE_LENGTH = 4000;

export interface LogOptions {
  level?: LogLevel;
  /** The process's secrets, which are removed from every line. */
  secrets?: readonly string[];
  /** Readable lines instead of JSON. Default: on a terminal. */
  isPretty?: boolean;
  /** Destination of lines. Default: standard output, without waiting for it. */
  stream?: DestinationStream;
}

/** C1 controls, and characters that reorder a line. JSON does not escape them. */
const TERMINAL_SIGNS = /[\u007f-\u009f\u200e\u200f\u061c\u2028-\u202e\u2066-\u2069]/g;
const ESCAPE_IN_JSON = /\\(?:u[0-9a-f]{4}|.)/g;
/** Escapes of controls, and of the characters escaped above. */
const IS_SHOWN = /^\\(?:u00[0189][0-9a-f]|u007f|u20|u061c|[bfr]$)/;

/** One line per event: `{"level":"info","time":"…","requestId":"…","message":"…"}`. */
export function createLog(options: LogOptions = {}): Log {
  const { level = "info", secrets = [], isPretty = Boolean(process.stdout.isTTY) } = options;
  const stream = isPretty ? openTerminal(options.stream) : (options.stream ?? openOutput());
  const redact = createLineRedaction(secrets);
  const logger = pino(
    {
      level,
      base: null,
      messageKey: "message",
      errorKey: "error",
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
      mixin: requestFields,
      hooks: { streamWrite: (line) => escapeControls(redact(line), isPretty) },
    },
    stream,
  );
  const lineOf =
    (name: "debug" | "info" | "warn" | "error") =>
    (message: string, fields?: LogFields): void =>
      logger[name](fields ? redactFields(fields) : {}, "%s", message.slice(0, MAX_MESSAGE_LENGTH));
  return {
    debug: lineOf("debug"),
    info: lineOf("info"),
    warn: lineOf("warn"),
    error: lineOf("error"),
    writes: (name) => logger.isLevelEnabled(name),
    flush: () => flushNow(stream),
  };
}

/**
 * Lines contain text from strangers, which must not act as commands on a reader's terminal: clear it, rename its window, reverse
 * text. JSON already escapes the oldest of these characters; a readable line shows the escape. Tabs and line ends, from stacks,
 * stay.
 */
function escapeControls(line: string, isPretty: boolean): string {
  const escaped = line.replace(
    TERMINAL_SIGNS,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return isPretty
    ? escaped.replace(ESCAPE_IN_JSON, (found) => (IS_SHOWN.test(found) ? `\\${found}` : found))
    : escaped;
}

function describeError(error: unknown): unknown {
  // A thrown value need not be an error.
  return error instanceof Error ? redactFields(stdSerializers.errWithCause(error)) : error;
}

function requestFields(): { requestId?: string } {
  const requestId = currentRequestId();
  return requestId === undefined ? {} : { requestId };
}

function openOutput() {
  const output = destination({ fd: 1, sync: false, maxLength: MAX_WAITING_BYTES });
  // The log's reader has gone; the server keeps working.
  output.on("error", () => {});
  return output;
}

function openTerminal(stream: DestinationStream | undefined): DestinationStream {
  return pretty({
    ...(stream && { destination: stream }),
    sync: true,
    messageKey: "message",
    errorLikeObjectKeys: ["error"],
    translateTime: "SYS:HH:MM:ss",
    ignore: "pid,hostname",
  });
}

function flushNow(stream: DestinationStream): void {
  if (!("flushSync" in stream) || typeof stream.flushSync !== "function") return;
  try {
    // `in` gives it the type of an unknown function.
    (stream.flushSync as () => void)();
  } catch {
    // Nothing has been written yet.
  }
}
