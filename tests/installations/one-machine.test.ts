/**
 * One machine by the operator's pages, used from a second machine. systemd is process 1 and obeys the unit.
 * 1. The program is installed and becomes a service of the user `millrace`, with only the rights that the unit leaves
 *    it.
 * 2. A client reaches it through nginx with TLS of the company's own authority: install, log in, build, build again CACHED, and
 *    again after a restart; save, pull, cache, revoke.
 * 3. The same through Caddy, with the same cache.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBareSystem } from "./room/bare-system.ts";
import { makeCertificates, trust } from "./room/certificates.ts";
import { inOrder, startClock } from "./room/clock.ts";
import { type Hub, startHub } from "./room/hub.ts";
import { type Lan, openLan } from "./room/lan.ts";
import { findNode, installNode } from "./room/node.ts";
import { checkServer, installServer, type Machine, ownerLink, prepareBuilders } from "./room/one-machine.ts";
import { follow, ORIGIN, readPage } from "./room/pages.ts";
import { openPerson, type Person } from "./room/person.ts";
import { buildCached, buildTwice, installCli, logIn, type User, useServices } from "./room/quickstart.ts";
import { writePrograms, writeRepository } from "./room/repository.ts";
import { openRoom, type Room } from "./room/room.ts";

const ALL_MS = 3_600_000;
const HOST = new URL(ORIGIN).host;
const place = mkdtempSync(join(tmpdir(), "one-machine-"));
const [bare, node] = [await findBareSystem(), await findNode()];
const programs = bare && (await writePrograms(join(place, "programs")));
const hub: Hub | null = programs === null || node === null ? null : await startHub();
const proxyPage = readPage("/docs/managed/overview/proxy");
const clock = startClock("One machine");
const certificates = makeCertificates(HOST);
let lan: Lan;
let server: Room;
let client: Room;
let machine: Machine;
let person: Person;
let user: User;

describe.skipIf(!hub)("one machine", { timeout: ALL_MS }, () => {
  inOrder();
  beforeAll(async () => {
    const repository = await writeRepository(join(place, "millrace.git"));
    lan = await openLan();
    const open = (name: string) =>
      openRoom({ name, lan, bare: bare!, given: { ...node!, repository, programs: programs! } });
    [server, client] = await clock.step("start the machines", async () => [
      await open("millrace"),
      await open("laptop"),
    ]);
    for (const room of [server, client]) {
      await installNode(room);
      await trust(room, certificates);
      await room.run("apt-get update");
      await room.run(`echo '${server.address} ${HOST}' >> /etc/hosts`);
    }
    machine = { room: server, shell: server.open("ada"), clock, settings: hub!.settings };
  }, ALL_MS);
  afterAll(async () => {
    clock.print();
    await person?.close();
    for (const room of [client, server]) await room?.close();
    await lan?.close();
    await hub?.close();
    rmSync(place, { recursive: true, force: true });
  }, ALL_MS);

  test("1. a service", async () => {
    await installServer(machine);
    await prepareBuilders(machine);
    const status = await server.run("cat /proc/$(systemctl show --value --property MainPID millrace)/status");
    expect(status).toMatch(new RegExp(`^Uid:\\t${(await server.run("id -u millrace")).trim()}\\b`, "m"));
    expect(status).toMatch(/^Umask:\t0077$/m);
    // CAP_DAC_OVERRIDE, CAP_SETGID, CAP_SETUID, CAP_SYS_ADMIN.
    expect(status).toMatch(/^CapBnd:\t00000000002000c2$/m);
    expect(status).toMatch(/^CapEff:\t0000000000000000$/m);
    const inside = "nsenter --target $(systemctl show --value --property MainPID millrace) --mount";
    for (const path of ["/opt/millrace/x", "/etc/x", "/usr/x"])
      expect(await server.run(`! ${inside} touch ${path} 2>&1`)).toContain("Read-only file system");
    expect(await server.run(`${inside} ls -A /home`)).toBe("");
    expect(await server.run("stat --format '%U %a' /var/lib/millrace")).toBe("millrace 700\n");
  });

  test("2. behind nginx", async () => {
    await clock.step("nginx in front", async () => {
      await server.run("apt-get install -y --no-install-recommends nginx");
      const title = "/etc/nginx/conf.d/millrace.conf";
      server.write(title, proxyPage.file(title));
      server.write("/etc/ssl/millrace/fullchain.pem", certificates.certificate);
      server.write("/etc/ssl/millrace/privkey.pem", certificates.key, 0o600);
      await server.run("nginx -t && systemctl restart nginx");
    });
    const shell = client.open("ada");
    await clock.step("check nginx", () =>
      follow(proxyPage.steps("Check"), { shell, origin: ORIGIN, plan: [] }),
    );
    await clock.step("check the server", () => checkServer(shell));
    const { certificate } = certificates;
    person = await openPerson({ room: client, origin: ORIGIN, address: server.address, certificate });
    user = { shell, person, origin: ORIGIN, clock };
    await clock.step("become the owner", async () => person.becomeOwner(await ownerLink(server)));
    await installCli(user);
    await logIn(user);
    await buildTwice(user);
    await clock.step("restart the machine", () => server.restart());
    await clock.step("check the server again", async () => {
      await server.run("until curl -sS http://127.0.0.1:3000/healthz; do sleep 0.2; done 2> /dev/null");
      await checkServer(shell);
    });
    await buildCached(user, "build after the restart");
    await useServices(user);
  });

  test("3. behind Caddy", async () => {
    await clock.step("Caddy in front", async () => {
      await server.run("systemctl disable --now nginx");
      await server.run("apt-get install -y --no-install-recommends caddy");
      const title = "/etc/caddy/Caddyfile";
      // There is no public authority's certificate for it here.
      const tls = "tls /etc/ssl/millrace/fullchain.pem /etc/ssl/millrace/privkey.pem";
      server.write(title, proxyPage.file(title).replace(`${HOST} {`, `${HOST} {\n\t${tls}`));
      await server.run(
        "chgrp caddy /etc/ssl/millrace/privkey.pem && chmod 640 /etc/ssl/millrace/privkey.pem",
      );
      await server.run("systemctl restart caddy");
    });
    const { shell } = user;
    await clock.step("check Caddy", () =>
      follow(proxyPage.steps("Check"), { shell, origin: ORIGIN, plan: [] }),
    );
    const [again] = [await user.shell.run("cd ~/hello")];
    expect(again.exitCode).toBe(0);
    await buildCached(user, "build through Caddy");
  });
});
