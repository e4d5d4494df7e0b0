/** Runs the built CLI as a process: in pipes, or on a pseudo-terminal, with a home of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage } from "../../cli/build.ts";

const root = join(import.meta.dirname, "..", "..");
const NOBODY = 65_534;

export interface Ended {
  /** Null if a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: { [name: string]: string };
  cwd?: string;
  input?: string | undefined;
  node?: string;
  /** As a user for whom modes of files count. */
  asNobody?: boolean;
}

export interface TerminalOptions extends RunOptions {
  columns?: number;
  /** Typed once a text has appeared: `[["Name", "web\r"]]`. */
  answers?: [string, string][];
}

/** A folder for everything that the tests of one file write. */
export function makePlace(): { path: string; home: () => string; remove: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "millrace-cli-")));
  chmodSync(path, 0o755);
  let homes = 0;
  return {
    path,
    home() {
      const home = join(path, `home-${++homes}`);
      mkdirSync(home);
      return home;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Builds the package as it is published into a folder of its own. @returns its `dist/main.js` */
export async function buildCli(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "README.md", "LICENSE"])
    copyFileSync(join(root, "cli", file), join(folder, file));
  await buildPackage(join(folder, "dist"));
  return join(folder, "dist", "main.js");
}

/** Only the variables of a test: a proxy or a token of the person who runs the tests must not count. */
const environment = (env: { [name: string]: string }): { [name: string]: string } => ({
  PATH: process.env["PATH"] ?? "",
  TERM: "xterm-256color",
  ...env,
});

export async function runCli(
  main: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ended> {
  const { env = {}, cwd, input, node = process.execPath, asNobody = false } = options;
  return collect(node, [main, ...args], { env, cwd, input, asNobody });
}

/** Never in one step (`spawnSync`): the server of a test lives in the same process and must answer. */
export async function collect(command: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const isRoot = process.getuid?.() === 0;
  const child = spawn(command, args, {
    env: environment(options.env ?? {}),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.asNobody && isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal, stdout, stderr };
}

/** A terminal gives both streams as one, with `\r\n` at the ends of lines. */
const PTY = `
import json, os, pty, select, struct, sys, fcntl, termios
options = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.execvpe(options["command"][0], options["command"], options["env"])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, options["columns"], 0, 0))
output, seen, answers = b"", 0, options["answers"]
while True:
    try:
        chunk = os.read(fd, 65536)
    except OSError:
        break
    if not chunk:
        break
    output += chunk
    while answers:
        at = output.find(answers[0][0].encode(), seen)
        if at < 0:
            break
        seen = at + len(answers[0][0].encode())
        os.write(fd, answers[0][1].encode())
        answers = answers[1:]
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(output)
sys.stdout.flush()
sys.exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
`;

/** `stdout` is the terminal's output; a signal counts as in a shell: 130 for Ctrl-C. */
export async function runOnTerminal(
  command: readonly string[],
  options: TerminalOptions = {},
): Promise<Ended> {
  const { env = {}, columns = 80, answers = [], cwd } = options;
  const request = JSON.stringify({ command, env: environment(env), columns, answers });
  return collect("python3", ["-c", PTY, request], { env, ...(cwd === undefined ? {} : { cwd }) });
}
