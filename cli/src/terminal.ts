/** Standard input, output and error: colors, widths and questions. Results go to `out`, everything else to `err`. */
import type { Readable, Writable } from "node:stream";
import { CliError, usageError } from "./errors.ts";
import { cleanText } from "./text.ts";

export interface Terminal {
  /** Results. */
  out: (text: string) => void;
  /** Progress, notes and errors. */
  err: (text: string) => void;
  /** Columns of standard output; undefined if it is not a terminal. */
  width: number | undefined;
  hasColors: boolean;
  bold: (text: string) => string;
  /** Standard error as a screen whose lines can be redrawn; undefined if it is not a terminal. */
  screen: TerminalScreen | undefined;
  /** Whether someone can answer a question. */
  isInteractive: boolean;
  /**
   * Asks for a line.
   * @param flag that answers the question if no one can
   * @throws CliError with exit code 2 if no one can answer
   */
  ask: (question: string, flag: string) => Promise<string>;
  /** @throws CliError if there is more than `maxBytes` */
  readInput: (maxBytes: number) => Promise<string>;
}

export interface TerminalScreen {
  /** The current size. */
  size: () => { columns: number; rows: number };
  /** @returns a function that removes the listener */
  onResize: (listener: () => void) => () => void;
  hasColors: boolean;
}

type Output = Writable & { isTTY?: boolean; columns?: number; rows?: number };

interface Streams {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
}

export function openTerminal({ stdin, stdout, stderr }: Streams, env: NodeJS.ProcessEnv): Terminal {
  const isTerminal = stdout.isTTY === true;
  const allowsColors = (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  const hasColors = isTerminal && allowsColors;
  const isInteractive = stdin.isTTY === true && stderr.isTTY === true;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    // Some terminals do not know their width and report 0.
    width: isTerminal ? stdout.columns || 80 : undefined,
    hasColors,
    bold: (text) => (hasColors && text !== "" ? `\u001b[1m${text}\u001b[22m` : text),
    screen: stderr.isTTY === true && env["TERM"] !== "dumb" ? screenOf(stderr, allowsColors) : undefined,
    isInteractive,
    ask(question, flag) {
      if (!isInteractive) throw usageError(`cannot ask "${question}" here: pass ${flag}`);
      return askLine(question, stdin, stderr);
    },
    readInput: (maxBytes) => readInput(stdin, maxBytes),
  };
}

function screenOf(output: Output, hasColors: boolean): TerminalScreen {
  return {
    // Some terminals do not know their size and report 0.
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    onResize(listener) {
      output.on("resize", listener);
      return () => void output.off("resize", listener);
    },
    hasColors,
  };
}

async function askLine(question: string, input: Readable, output: Writable): Promise<string> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input, output, terminal: true });
  return new Promise((resolve, reject) => {
    lines.on("SIGINT", () => {
      lines.close();
      output.write("\n");
      // readline caught the signal: send it again, so that the shell sees that it ended the command.
      process.kill(process.pid, "SIGINT");
    });
    lines.on("close", () => reject(new CliError("no answer was given")));
    lines.question(`? ${cleanText(question)}${question.endsWith("?") ? " " : ": "}`, (answer) => {
      resolve(answer.trim());
      lines.close();
    });
  });
}

async function readInput(input: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    // A stream without an encoding yields buffers.
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxBytes) throw new CliError(`standard input has more than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks).toString("utf8");
}
