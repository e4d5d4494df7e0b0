/** Changes to a machine that only root may make, for what it lacks. */
import { readFile } from "node:fs/promises";
import type { Lack } from "../machine/check/find-lacks.ts";
import { findProgram } from "../machine/programs.ts";
import type { Command } from "./distribution.ts";

/** Size of the range in `/etc/subuid`, for users in images. */
const RANGE = 65_536;
/** Lower ids belong to the machine's own users. */
const FIRST = 100_000;
const SETTINGS = "/etc/sysctl.d/60-millrace-builders.conf";
const MODULES = "/etc/modules-load.d/millrace-builders.conf";

export interface Step {
  title: string;
  /** For root. */
  commands: readonly Command[];
}

interface Given {
  /** The server's user. */
  user: { name: string };
  path: string;
}

/** @returns null if no command of root fixes it */
export async function stepFor(lack: Lack, given: Given): Promise<Step | null> {
  if (!lack.isMended) return null;
  switch (lack.kind) {
    case "user-ids":
      return {
        title: `User ids for the builders of ${given.user.name}`,
        commands: await addRange(given),
      };
    case "cni":
      return {
        title: "A folder that each builder mounts over",
        commands: [["mkdir", "--parents", "/var/lib/cni"]],
      };
    case "namespaces":
      return { title: "Let users other than root create user namespaces", commands: await allowNamespaces() };
    case "tun":
      return {
        title: "The kernel module for builder networks",
        commands: [
          ["modprobe", "tun"],
          ["sh", "-c", `echo tun >${MODULES}`],
        ],
      };
    default:
      return null;
  }
}

async function addRange({ user, path }: Given): Promise<Command[]> {
  const files = ["/etc/subuid", "/etc/subgid"];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  const start = firstFree(texts.join("\n"));
  const range = `${start}-${start + RANGE - 1}`;
  if ((await findProgram("usermod", path)) !== null)
    return [["usermod", "--add-subuids", range, "--add-subgids", range, user.name]];
  return files.map((file) => ["sh", "-c", `echo ${user.name}:${start}:${RANGE} >>${file}`]);
}

/** The first id after all assigned ranges. */
export function firstFree(text: string): number {
  const ends = text.split("\n").map((line) => {
    const [, from, count] = line.split(":");
    return Number(from) + Number(count) || 0;
  });
  return Math.max(FIRST, ...ends);
}

async function allowNamespaces(): Promise<Command[]> {
  const values = {
    "kernel.apparmor_restrict_unprivileged_userns": 0,
    "kernel.unprivileged_userns_clone": 1,
    "user.max_user_namespaces": 15_000,
  };
  const lines: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const text = await readFile(`/proc/sys/${name.replaceAll(".", "/")}`, "utf8").catch(() => "");
    const isRight = name === "user.max_user_namespaces" ? Number(text) > 0 : Number(text) === value;
    if (text !== "" && !isRight) lines.push(`${name} = ${value}`);
  }
  return [
    ["sh", "-c", `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(" ")} >${SETTINGS}`],
    ["sysctl", "--load", SETTINGS],
  ];
}
