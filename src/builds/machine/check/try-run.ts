import { spawn } from "node:child_process";

const TRY_MS = 10_000;
const SHOWN_CHARACTERS = 120;
const MAX_OUTPUT_CHARACTERS = 64 * 1024;

export interface Tried {
  output: string;
  /** Its last output; null: it succeeded. */
  error: string | null;
}

interface TryOptions {
  path: string;
  /** Runs as another user, which only root can. */
  as?: { uid: number; gid: number } | undefined;
  /** For tests: the timeout, including child processes. */
  withinMs?: number;
}

/** Runs in its own session: another user's program must not type into root's terminal or send it commands. */
export function tryRun(
  program: string,
  args: readonly string[],
  { path, as, withinMs = TRY_MS }: TryOptions,
): Promise<Tried> {
  const child = spawn(program, args, {
    env: { PATH: path },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...as,
  });
  const said = { output: "", errors: "" };
  const keep = (name: keyof typeof said) => (text: string) => {
    said[name] = (said[name] + text).slice(0, MAX_OUTPUT_CHARACTERS);
  };
  child.stdout.setEncoding("utf8").on("data", keep("output"));
  child.stderr.setEncoding("utf8").on("data", keep("errors"));
  const timer = setTimeout(() => {
    killGroup(child.pid, "SIGKILL");
    // Processes that left the group may hold them open.
    child.stdout.destroy();
    child.stderr.destroy();
  }, withinMs);
  const failed = (why: string): Tried => ({
    output: "",
    error: withoutControls(why).slice(0, SHOWN_CHARACTERS),
  });
  return new Promise<Tried>((resolve) => {
    child.once("error", ({ message }) => resolve(failed(message.split("\n")[0] ?? "")));
    child.once("close", (code, signal) => {
      if (code === 0) return resolve({ output: withoutControls(said.output), error: null });
      const last = said.errors.trim().split("\n").at(-1);
      resolve(failed(last || (signal ? `it was terminated by ${signal}` : `it exited with code ${code}`)));
    });
  }).finally(() => clearTimeout(timer));
}

/** Control characters, which terminals obey, except line breaks and tabs. */
export const withoutControls = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, "");

/** Kills a child that leads a group. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}
