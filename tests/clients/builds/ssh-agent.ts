/** An SSH agent with a key of its own, and the programs that ask it, for steps of a build. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { findDebianTool } from "../cache/install-tool.ts";

export interface Agent {
  /** For `SSH_AUTH_SOCK`. */
  socket: string;
  publicKey: string;
  /** One line of it. */
  privateKey: string;
  fingerprint: string;
  close: () => Promise<void>;
}

/** @returns null, with a message, where OpenSSH cannot be had */
export async function startAgent(folder: string): Promise<Agent | null> {
  if (!(await findDebianTool("ssh-agent", { package: "openssh-client", version: "1:" }))) return null;
  const [key, socket] = [join(folder, "key"), join(folder, "agent.sock")];
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "ada@laptop", "-f", key]);
  const agent = spawn("ssh-agent", ["-D", "-a", socket], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(agent, "exit");
  // It prints where it listens.
  await once(createInterface(agent.stdout), "line");
  execFileSync("ssh-add", ["-q", key], { env: { ...process.env, SSH_AUTH_SOCK: socket } });
  const listed = execFileSync("ssh-keygen", ["-l", "-f", key], { encoding: "utf8" });
  return {
    socket,
    publicKey: readFileSync(`${key}.pub`, "utf8"),
    privateKey: readFileSync(key, "utf8").split("\n")[2] ?? "",
    fingerprint: /SHA256:\S+/.exec(listed)?.[0] ?? "",
    async close() {
      agent.kill();
      await ended;
    },
  };
}

/** Copies programs of this machine with their libraries, at the same paths. */
export function copyPrograms(programs: readonly string[], folder: string): void {
  const libraries = programs.flatMap((program) =>
    [...execFileSync("ldd", [program], { encoding: "utf8" }).matchAll(/(\/\S+) \(0x/g)].map(
      ([, path]) => path!,
    ),
  );
  for (const path of new Set([...programs, ...libraries])) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    copyFileSync(path, join(folder, path));
  }
}
