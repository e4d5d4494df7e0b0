/**
 * A person with only the README and a bare Debian: Debian's own nodejs and npm, an ordinary user, one machine.
 * 1. `npm start` serves, and says what builds lack; a person becomes the owner by the link that it prints.
 * 2. `setup-builders` prepares the machine while the server runs, and the CLI comes from the server.
 * 3. A build, a second one with every step CACHED, and again after a restart.
 * 4. The image is saved and pulled, the cache answers a build tool, a revoked token is refused.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ShellSession } from "../clients/shell-session.ts";
import { findBareSystem } from "./room/bare-system.ts";
import { inOrder, startClock } from "./room/clock.ts";
import { type Hub, startHub } from "./room/hub.ts";
import { type Lan, openLan } from "./room/lan.ts";
import { follow, installScript, readmeSteps } from "./room/pages.ts";
import { openPerson, type Person } from "./room/person.ts";
import { buildCached, buildTwice, installCli, logIn, type User, useServices } from "./room/quickstart.ts";
import { writePrograms, writeRepository } from "./room/repository.ts";
import { openRoom, type Room, succeeded } from "./room/room.ts";

const ALL_MS = 3_600_000;
const ORIGIN = "http://localhost:3000";
const place = mkdtempSync(join(tmpdir(), "readme-"));
const bare = await findBareSystem();
const programs = bare && (await writePrograms(join(place, "programs")));
const hub: Hub | null = programs === null ? null : await startHub();
const steps = readmeSteps();
const step = (starts: string) => {
  const found = steps.filter(({ command }) => command.startsWith(starts)).slice(0, 1);
  expect(found, starts).toHaveLength(1);
  return found;
};
const clock = startClock("README's two commands");
let lan: Lan;
let room: Room;
let person: Person;
let user: User;
/** Runs the server in its foreground. */
let terminal: ShellSession;

describe.skipIf(!bare || !programs || !hub)("README", { timeout: ALL_MS }, () => {
  inOrder();
  beforeAll(async () => {
    const given = { repository: await writeRepository(join(place, "millrace.git")), programs: programs! };
    lan = await openLan();
    room = await clock.step("start the machine", () => openRoom({ name: "debian", lan, bare: bare!, given }));
    await clock.step("apt-get install nodejs npm", async () => {
      await room.run("apt-get update");
      await room.run("apt-get install -y --no-install-recommends nodejs npm");
    });
    await room.run("git clone --quiet /mnt/repository millrace", "ada");
    terminal = room.open("ada", { ...hub!.settings });
    const shell = room.open("ada");
    person = await openPerson({ room, origin: ORIGIN });
    user = { shell, person, origin: ORIGIN, clock };
  }, ALL_MS);
  afterAll(async () => {
    clock.print();
    await person?.close();
    await room?.close();
    await lan?.close();
    await hub?.close();
    rmSync(place, { recursive: true, force: true });
  }, ALL_MS);

  test("1. it serves", async () => {
    await terminal.run("cd ~/millrace");
    const said = await clock.step("npm start, the first", () =>
      start("Millrace is at", "app/start", "Builders cannot run"),
    );
    expect(said).toMatch(/^Builders cannot run on this server yet: .* npm start -- setup-builders$/m);
    await clock.step("become the owner", async () =>
      person.becomeOwner(/http:\/\/localhost:3000\/app\/start\/\S+/.exec(said)?.[0] ?? said),
    );
  });

  test("2. builders and CLI", async () => {
    // Answers yes, and names a folder to save the minutes of a download or of Go's compiler.
    const plan = [
      { starts: "npm start -- setup-builders", as: "npm start -- setup-builders --yes --from /mnt/programs" },
    ];
    await user.shell.run("cd ~/millrace");
    await clock.step("setup-builders", () =>
      follow(step("npm start -- setup-builders"), { shell: user.shell, origin: ORIGIN, plan }),
    );
    expect(step("npm install -g")[0]?.command).toContain(`${ORIGIN}/cli/millrace.tgz`);
    expect(step("curl ")[0]?.command).toContain(installScript(ORIGIN));
    await installCli(user);
    await logIn(user);
  });

  test("3. builds", async () => {
    await user.shell.run("cd ~");
    await buildTwice(user);
    await clock.step("stop", stop);
    await clock.step("npm start, again", () => start("Millrace is at"));
    await buildCached(user, "build after the restart");
  });

  test("4. images, cache and tokens", () => useServices(user));
});

/**
 * @param saying texts that it prints, before or after it serves
 * @returns its output until it serves and has printed them
 */
async function start(...saying: readonly string[]): Promise<string> {
  const [{ command } = { command: "" }] = step("npm start ");
  const said = saying.map((words) => `grep -q '${words}' ~/server.log`).join(" && ");
  const ready = `${said} && curl -sS -o /dev/null ${ORIGIN}/healthz`;
  const wait = `until ${ready} || ! kill -0 $server; do sleep 0.2; done; cat ~/server.log; kill -0 $server`;
  // Emptied first: until the background process begins, the log is that of the server before.
  const run = `: > ~/server.log; ${command.replace(/ *#.*/, "")} > ~/server.log 2>&1 & server=$!; ${wait}`;
  return succeeded(command, await terminal.run(run));
}

async function stop(): Promise<void> {
  succeeded("stop", await terminal.run("kill $server; wait $server || [ $? -eq 143 ]"));
}
