/**
 * A server without root, run by a user that has a range of ids in `/etc/subuid`:
 *
 * 1. Its builders run steps as their own root, with files of other users and a network; when the server is killed,
 *    nothing is left.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { comesTrue } from "../../attack/processes.ts";
import { cannotHave } from "../cache/install-tool.ts";
import { build, BUILD_MS, findBuildTools, findTraces } from "./machine-stage.ts";

const SERVER = fileURLToPath(new URL("machine-server.ts", import.meta.url));
const END_MS = 20_000;

interface User {
  name: string;
  userId: number;
  groupId: number;
}

/** @returns the first user who may have files of others; null, with a message, where there is none */
function findUser(): User | null {
  const missing = (why: string) => cannotHave("a builder without root", why);
  if (!existsSync("/usr/bin/newuidmap")) return missing("there is no newuidmap (package uidmap)");
  if (!existsSync("/var/lib/cni")) return missing("there is no folder /var/lib/cni");
  const ranges = existsSync("/etc/subuid") ? readFileSync("/etc/subuid", "utf8") : "";
  const accounts = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const line of accounts) {
    const [name = "", , userId, groupId] = line.split(":");
    if (ranges.split("\n").some((range) => range.startsWith(`${name}:`)) && Number(userId) > 0)
      return { name, userId: Number(userId), groupId: Number(groupId) };
  }
  return missing("no user has a range of ids in /etc/subuid");
}

const [tools, user] = [await findBuildTools(), findUser()];

describe.skipIf(!tools || !user)("a server without root", { timeout: BUILD_MS }, () => {
  const programs = tools!;
  afterAll(() => rmSync(programs.folder, { recursive: true, force: true }));

  test("1. builds, and leaves nothing", async () => {
    const { userId, groupId } = user!;
    const [dataFolder, temporary] = [join(programs.folder, "data"), join(programs.folder, "t")];
    chmodSync(programs.folder, 0o755);
    for (const folder of [dataFolder, temporary]) {
      mkdirSync(folder);
      chownSync(folder, userId, groupId);
    }
    const ids = [`--reuid=${userId}`, `--regid=${groupId}`, "--init-groups"];
    const server = spawn("setpriv", [...ids, process.execPath, SERVER, dataFolder, programs.programs], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { PATH: process.env["PATH"], XDG_RUNTIME_DIR: temporary },
    });
    const [told] = (await once(server.stdout, "data")) as [Buffer];
    const steps = "mkdir /x; chown 1234:1234 /x; ls -lnd /x; id -u; ip -4 -o address show dev eth0";
    const { code, output } = await build(programs, told.toString().trim(), `FROM base\nRUN ${steps}\n`);
    expect(code, output).toBe(0);
    expect(output).toMatch(/ 1234 +1234 .+ \/x$/m);
    expect(output).toContain("inet 10.64.1.");
    // On the machine, the file belongs to the user's range.
    const others = execFileSync("find", [dataFolder, "-name", "x", "-user", "1234"], { encoding: "utf8" });
    expect(others).toBe("");
    server.kill("SIGKILL");
    const left = () => findTraces([dataFolder, temporary]);
    expect(await comesTrue(() => left().length === 0, END_MS), left().join("\n")).toBe(true);
  });
});
