/** The server's log: JSON lines for programs, readable lines on a terminal. Who logs knows this interface only. */

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Facts beside the message. An error goes under `error`. Never a secret, a cookie, the value of a query. */
export interface LogFields {
  error?: unknown;
  [name: string]: unknown;
}

export type LogLine = (message: string, fields?: LogFields) => void;

export interface Log {
  debug: LogLine;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
  /** Whether lines of a level are written; asked before a line that costs something to make. */
  writes: (level: Exclude<LogLevel, "silent">) => boolean;
  /** Writes what still waits; to be called before the process ends. */
  flush: () => void;
}

/** For commands, and tests that watch the console: the message as it is. */
export const consoleLog: Log = {
  debug: () => {},
  info: (message) => console.log(message),
  warn: (message) => console.warn(message),
  error: (message, fields) =>
    fields && "error" in fields ? console.error(message, fields.error) : console.error(message),
  writes: (level) => level !== "debug",
  flush: () => {},
};
