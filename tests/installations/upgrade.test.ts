/**
 * A server of three days earlier, with data, by the operator's pages:
 * 1. It is installed from its own commit, gets an owner, a project and builds.
 * 2. The upgrade keeps all data; builds run, and are CACHED the second time.
 * 3. A restart in the middle of a build ends that build and nothing else, twice.
 * 4. A backup of the running server becomes the server on another machine.
 *
 * It installs two versions on three machines, and takes as long as the other installations together: `npm run test:long` runs it
 * (`EVERY_CASE`). In each run, `tests/deploy/upgrade.test.ts` starts the server on the folders that landings have left, and
 * `tests/deploy/backup.test.ts` restores a busy server.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Change, StepPlan } from "../clients/pages/page-plan.ts";
import type { ShellSession } from "../clients/shell-session.ts";
import { findBareSystem } from "./room/bare-system.ts";
import { inOrder, startClock } from "./room/clock.ts";
import { type Hub, startHub } from "./room/hub.ts";
import { type Lan, openLan } from "./room/lan.ts";
import { findNode, installNode } from "./room/node.ts";
import {
  cloneOf,
  COPIED,
  installServer,
  type Machine,
  ownerLink,
  prepareBuilders,
} from "./room/one-machine.ts";
import { follow, readPage } from "./room/pages.ts";
import { openPerson, type Person } from "./room/person.ts";
import { buildCached, buildTwice, installCli, logIn, type User } from "./room/quickstart.ts";
import { hasCommit, writePrograms, writeRepository } from "./room/repository.ts";
import { openRoom, type Room, succeeded } from "./room/room.ts";

const ALL_MS = 3_600_000;
const ORIGIN = "http://localhost:3000";
/** The landing of 23 November: the first with container builds. */
const FORMER = "7bab6ae0";
const AS_SERVICE = "sudo -u millrace DATA_DIR=/var/lib/millrace/data";
const FILES: Change = [/: \d+ files(?:, [\d.]+ MB)?$/, ": …"];
const FORMER_FOLDER: Change = [/before-[\dTZ-]+/, "before-…"];
const place = mkdtempSync(join(tmpdir(), "upgrade-"));
const isChosen = Boolean(process.env["EVERY_CASE"]) && (await hasCommit(FORMER));
const [bare, node] = isChosen ? [await findBareSystem(), await findNode()] : [null, null];
const programs = bare && node && (await writePrograms(join(place, "programs")));
const hub: Hub | null = programs === null ? null : await startHub();
const [upgradePage, backupPage] = ["upgrade", "backup"].map((name) =>
  readPage(`/docs/managed/overview/${name}`),
) as [ReturnType<typeof readPage>, ReturnType<typeof readPage>];
const clock = startClock("Upgrade, backup and restore");
let lan: Lan;
let former: Room;
let spare: Room | undefined;
let machine: Machine;
let person: Person;
let user: User;

describe.runIf(hub)("upgrade", { timeout: ALL_MS }, () => {
  inOrder();
  beforeAll(async () => {
    lan = await openLan();
    former = await open("millrace", { former: FORMER, v2: "HEAD" });
    person = await openPerson({ room: former, origin: ORIGIN });
    machine = describeMachine(former);
    user = { shell: former.open("ada"), person, origin: ORIGIN, clock };
  }, ALL_MS);
  afterAll(async () => {
    clock.print();
    await person?.close();
    for (const room of [spare, former]) await room?.close();
    await lan?.close();
    await hub?.close();
    rmSync(place, { recursive: true, force: true });
  }, ALL_MS);

  test("1. the former release", async () => {
    await former.run("git config --system init.defaultBranch main");
    await former.run("git --git-dir /mnt/repository rev-parse former");
    await installServer(machine, cloneOf("former"));
    // As that release's page prepared a machine. /run/runc exists where root has run anything in runc before; without
    // it that release's builders could not start a step.
    await former.run(`apt-get install -y --no-install-recommends runc slirp4netns uidmap
      usermod --add-subuids 200000-265535 --add-subgids 200000-265535 millrace
      mkdir -p /var/lib/cni /run/runc
      install /mnt/programs/buildkitd /usr/local/bin/buildkitd
      systemctl restart millrace`);
    await person.becomeOwner(await ownerLink(former));
    // Its command-line tool was part of its checkout.
    await run(machine.shell, "cd /opt/millrace && sudo npm run cli && cd ~");
    await run(user.shell, "export MILLRACE_BUILDX=/mnt/programs/docker-buildx");
    await logIn(user);
    await buildTwice(user);
  });

  test("2. upgraded", async () => {
    await clock.step("backup before", async () => {
      const [write] = backupPage.steps("Write a backup");
      const command = write!.command.replace("monday", "before-upgrade");
      await run(machine.shell, `cd /opt/millrace && ${command}`);
    });
    await clock.step("upgrade", () => follow(upgradePage.steps("Upgrade"), reader(machine.shell)));
    await waitUntilServed(former);
    await run(machine.shell, "sudo apt-get install -y --no-install-recommends jq");
    await follow(upgradePage.steps("Check"), reader(machine.shell));
    await prepareBuilders(machine);
    await run(user.shell, "cd ~ && unset MILLRACE_BUILDX");
    await installCli(user);
    expect(await run(user.shell, "cd ~/hello && millrace projects list")).toContain("hello");
    await clock.step("build after the upgrade", () => run(user.shell, "millrace build -t hello ."));
    await buildCached(user, "build again after the upgrade");
  });

  test("3. restarted in the middle of builds", async () => {
    await run(user.shell, "printf 'FROM python:3.13-slim\\nRUN sleep 600\\n' > slow.Dockerfile");
    for (const restart of ["first restart", "second restart"]) {
      await run(
        user.shell,
        "rm -f ~/slow.*; (millrace build -f slow.Dockerfile --progress plain . > ~/slow.log 2>&1; echo $? > ~/slow.code) &",
      );
      await run(
        user.shell,
        "until grep -q 'RUN sleep' ~/slow.log || [ -s ~/slow.code ]; do sleep 0.2; done; ! [ -s ~/slow.code ]",
      );
      await clock.step(`${restart} in a build`, async () => {
        await former.run("systemctl restart millrace");
        await waitUntilServed(former);
      });
      await run(user.shell, "until [ -s ~/slow.code ]; do sleep 0.2; done");
      expect(await run(user.shell, "cat ~/slow.code")).not.toBe("0");
      expect(await run(user.shell, "millrace builds list --state running")).not.toContain("bld_");
      await buildCached(user, `build after the ${restart}`);
    }
  });

  test("4. restored on another machine", async () => {
    await run(user.shell, "millrace build --save-tag first .");
    const token = /mr_org_\w+/.exec(
      await run(user.shell, "millrace tokens create --name spare --expires 1d"),
    )?.[0];
    const [write] = backupPage.steps("Write a backup");
    await clock.step("backup", () => follow([write!], reader(machine.shell)));
    const other = (spare = await open("spare", {}));
    const second = describeMachine(other);
    copy("/opt/millrace", other);
    await installServer(second, COPIED);
    copy("/var/lib/millrace/monday", other);
    await other.run("chown -R millrace: /var/lib/millrace/monday");
    await run(second.shell, "cd /opt/millrace");
    const steps = backupPage.steps("Restore on another machine");
    await clock.step("restore", () => follow(steps, reader(second.shell)));
    await run(second.shell, "sudo systemctl start millrace && sudo apt-get update -qq");
    await waitUntilServed(other);
    await run(second.shell, "sudo apt-get install -y --no-install-recommends jq skopeo");
    await follow(backupPage.steps("Check"), reader(second.shell));
    await run(
      second.shell,
      `cd ~ && echo ${token} | skopeo login --tls-verify=false localhost:3000 -u x-token --password-stdin`,
    );
    await run(
      second.shell,
      "skopeo copy --src-tls-verify=false docker://localhost:3000/acme/hello:first oci:pulled",
    );
  });
});

async function open(name: string, branches: { [branch: string]: string }): Promise<Room> {
  const repository = await writeRepository(join(place, `${name}.git`), branches);
  const given = { ...node!, repository, programs: programs! };
  const room = await clock.step("start a machine", () => openRoom({ name, lan, bare: bare!, given }));
  await installNode(room);
  await room.run("apt-get update");
  return room;
}

/** From the first machine, to the same place on another one. */
function copy(path: string, other: Room): void {
  const [from, to] = [former, other].map(({ pid }) => `/proc/${pid()}/root${path}`) as [string, string];
  execFileSync("cp", ["-a", from, to]);
}

const describeMachine = (room: Room): Machine => ({
  room,
  shell: room.open("ada"),
  clock,
  settings: { ...hub!.settings, SITE_ORIGIN: ORIGIN },
});

/** A reader on the server itself. */
const reader = (shell: ShellSession) => ({
  shell,
  origin: ORIGIN,
  plan: [
    { starts: "sudo git clone", names: [["https://git.example.com/tools/millrace.git", "/mnt/repository"]] },
    { starts: `${AS_SERVICE} node src/server/backup.ts`, differs: [FILES] },
    { starts: `${AS_SERVICE} node src/server/restore.ts`, differs: [FILES, FORMER_FOLDER] },
    { starts: "curl -sS https", names: [["https://millrace.example.com", ORIGIN]] },
    { starts: "docker", isLeftOut: "is what a container does" },
  ] satisfies StepPlan[],
});

const waitUntilServed = (room: Room) =>
  room.run("until curl -sS http://127.0.0.1:3000/healthz; do sleep 0.2; done 2> /dev/null");
const run = async (shell: ShellSession, command: string) => succeeded(command, await shell.run(command));
