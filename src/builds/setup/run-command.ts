/** Commands on the machine, as they are shown first and as they are run. */
import { spawn } from "node:child_process";

export interface Told {
  args: readonly string[];
  /** Set only for this command. */
  env?: Readonly<Record<string, string>>;
  cwd?: string;
}

/** Ends the setup: one sentence that says what, where and what to do. */
export class SetupError extends Error {}

/** Quoted for a shell. */
export function showCommand({ args, env = {} }: Told): string {
  return [...Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`), ...args.map(quote)].join(
    " ",
  );
}

const quote = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** With the terminal's own streams. @throws SetupError */
export function runCommand(told: Told, path: string): Promise<void> {
  const { args, env, cwd } = told;
  const [program = "", ...rest] = args;
  const child = spawn(program, rest, {
    stdio: "inherit",
    env: { ...process.env, PATH: path, ...env },
    ...(cwd && { cwd }),
  });
  const fail = (why: string) =>
    new SetupError(
      `This command ${why}, so its step is not done: ${showCommand(told)}. Fix what it reports and run setup-builders again: it continues from here.`,
    );
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        fail(
          error.code === "ENOENT"
            ? "is not installed on this machine"
            : `could not be started (${error.message})`,
        ),
      ),
    );
    child.once("exit", (code, signal) =>
      code === 0
        ? resolve()
        : reject(fail(signal ? `was terminated by ${signal}` : `exited with code ${code}`)),
    );
  });
}

/** Runs as root: with `sudo` if this process is not root. */
export const asRoot = (command: readonly string[], isRoot: boolean): Told => ({
  args: isRoot ? command : ["sudo", ...(process.stdin.isTTY ? [] : ["--non-interactive"]), ...command],
});
