/** One shell that runs commands in sequence, as a reader's terminal does: variables and folders persist. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";

export interface Ran {
  /** Standard output and error, as a terminal would show them. */
  output: string;
  exitCode: number;
}

export interface ShellSession {
  /** @throws Error when the command does not end */
  run: (command: string) => Promise<Ran>;
  end: () => Promise<void>;
}

const COMMAND_MS = 60_000;

export function openShellSession(options: {
  folder: string;
  env: { [name: string]: string };
  commandMs?: number;
  /** The program that starts the shell, as another user or elsewhere; a bash that reads its commands. */
  program?: readonly string[];
}): ShellSession {
  const { commandMs = COMMAND_MS, program = ["bash", "--norc", "--noprofile"] } = options;
  const [file = "", ...args] = program;
  const shell = spawn(file, args, {
    cwd: options.folder,
    env: options.env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  shell.stdout.setEncoding("utf8");
  // Commands must not read the script itself.
  shell.stdin.write("exec 3<&0 2>&1\n");
  return {
    async run(command) {
      const mark = `end-${randomUUID()}`;
      let output = "";
      const ended = new Promise<Ran>((resolve, reject) => {
        const timer = setTimeout(
          () => done(() => reject(new Error(`It does not end: ${command}\n${output}`))),
          commandMs,
        );
        const onData = (text: string) => {
          output += text;
          const end = new RegExp(`\\n?${mark} (\\d+)\\n`).exec(output);
          if (end) done(() => resolve({ output: output.slice(0, end.index), exitCode: Number(end[1]) }));
        };
        const onExit = () => done(() => reject(new Error(`It ended the shell: ${command}\n${output}`)));
        const done = (settle: () => void) => {
          clearTimeout(timer);
          shell.stdout.off("data", onData);
          shell.off("exit", onExit);
          settle();
        };
        shell.stdout.on("data", onData);
        shell.on("exit", onExit);
      });
      shell.stdin.write(`{ ${command}\n} </dev/null; printf '\\n%s %s\\n' ${mark} $?\n`);
      return ended;
    },
    async end() {
      shell.stdin.end();
      if (shell.exitCode === null && shell.signalCode === null) await once(shell, "exit");
    },
  };
}

/** This machine's settings for npm's registry. */
export function networkSettings(): { [name: string]: string } {
  const known = /^(?:https?_proxy|no_proxy|npm_config_.*|node_extra_ca_certs|ssl_cert_file)$/i;
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      known.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
}
