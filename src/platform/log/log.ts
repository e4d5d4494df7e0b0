/**
 * The server's log: JSON lines for programs, readable lines on a terminal. Code that logs only knows this
 * interface.
 */

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Additional facts. An error goes under `error`. Never a secret, a cookie or a query's value. */
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
  /** Whether lines of a level are written; check it before making a costly line. */
  writes: (level: Exclude<LogLevel, "silent">) => boolean;
  /** Writes pending lines; call it before the process ends. */
  flush: () => void;
}

/** For commands, and tests that watch the console: prints only the message. */
export const consoleLog: Log = {
  debug: () => {},
  info: (message) => console.log(message),
  warn: (message) => console.warn(message),
  error: (message, fields) =>
    fields && "error" in fields ? console.error(message, fields.error) : console.error(message),
  writes: (level) => level !== "debug",
  flush: () => {},
};
