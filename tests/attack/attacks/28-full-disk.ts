import { randomBytes } from "node:crypto";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { wholeBytesOf } from "#platform/files/reserve.ts";
import type { Attack, Stage } from "../attack.ts";
import { read } from "../documents.ts";
import { ask as askRegistry, codeOf, digestOf, makeRepository } from "../registry-client.ts";
import { type Answer, json, send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";
import { asOwner, makeLinkKey, useLink } from "../sign-in.ts";
import { FILLER, fillDisk, openSmallDisk } from "../full-disk.ts";

const DISK_BYTES = 192 * 1024 * 1024;
/** A foreign file, from the beginning. */
const FILLER_BYTES = 96 * 1024 * 1024;
const ENTRY_BYTES = 1024 * 1024;
/** Entries, and ordinary changes, that are tried until one is refused. */
const TRIES = 2_000;
/** Tokens that leaked. */
const LEAKED = { short: 20, usual: 100 };
/** How often the server is asked for its state, until it is the wanted one. */
const LOOKS = 120;
const PAUSE_MS = 250;

const MEMBER = "usr_mallory000";

const FULL = /disk of this server is (?:almost )?full.*free space/;

export const fullDisk: Attack = {
  item: 28,
  name: "a disk that is full to the last byte",
  bound:
    "Tokens are revoked, people signed in and out, projects deleted, with their audit lines, also by a server that starts on it; all else is refused in words, and continues when there is room.",
  async run(stage) {
    const disk = openSmallDisk(stage.dataDir(), DISK_BYTES);
    if (!disk) return stage.notTried("a full disk", "this machine mounts no image of a disk", "root");
    try {
      await attack(stage, disk.dataDir);
    } finally {
      disk.close();
    }
  },
};

async function attack(stage: Stage, dataDir: string): Promise<void> {
  writeFileSync(join(dataDir, FILLER), Buffer.alloc(FILLER_BYTES, 1));
  const server = await stage.server({ dataDir });
  const [builds, spare, ...leaked] = await makeTokens(
    server,
    2 + (stage.isShort ? LEAKED.short : LEAKED.usual),
  );
  if (!builds || !spare) throw new Error("There are no tokens.");
  await reserveIsWhole(dataDir);
  const kept = await fillByEntries(stage, server, builds);
  const reserve = join(dataDir, "reserve");
  stage.check(statSync(reserve).size >= wholeBytesOf(reserve), "entries have taken the reserve's room");
  const cookie = await useLink(server, await makeLinkKey(server));
  await call(server, "ProjectService/Create", { name: "doomed" });
  addMember(join(dataDir, "millrace.db"));
  fillDisk(dataDir);
  const reader = pinJournal(join(dataDir, "millrace.db"));
  try {
    await refuseChanges(stage, server);
    const held = statSync(join(dataDir, "reserve")).size;
    await revoke(stage, server, leaked);
    const left = statSync(join(dataDir, "reserve")).size;
    stage.report("of the reserve", `${held - left} of ${held} bytes were needed for them`);
    await endRights(stage, server, cookie);
    await readOn(stage, server, { kept, builds });
    await server.kill();
  } finally {
    reader.close();
  }
  const second = await startAgain(stage, dataDir, { leaked, spare });
  await goOn(stage, second, builds);
}

/**
 * The reserve as it is some seconds after a start. On a disk this small entries can be faster, and the journal's 4 MB
 * then take its room.
 * @throws Error when it does not become whole
 */
async function reserveIsWhole(dataDir: string): Promise<void> {
  const file = join(dataDir, "reserve");
  for (let look = 0; statSync(file).size < wholeBytesOf(file); look += 1) {
    if (look > LOOKS) throw new Error("The reserve does not become whole.");
    await wait(PAUSE_MS);
  }
}

interface Token {
  id: string;
  authorization: string;
}

const asToken = ({ authorization }: Token) => ({ authorization });

function ask(server: RunningServer, method: string, body: object, headers: Sent["headers"] = asOwner) {
  return send(server.port, json(`/api/millrace.v1.${method}`, body, { headers }));
}

/** @throws Error with the answer when it is refused */
async function call<Shape>(server: RunningServer, method: string, body: object): Promise<Partial<Shape>> {
  const answer = await ask(server, method, body);
  if (answer.status !== 200) throw new Error(`${method}: ${answer.status} ${answer.body.toString()}`);
  return read<Shape>(answer);
}

async function makeTokens(server: RunningServer, count: number): Promise<Token[]> {
  const tokens: Token[] = [];
  for (let at = 0; at < count; at += 1) {
    const { token, secret } = await call<{ token: { id: string }; secret: string }>(
      server,
      "TokenService/Create",
      { name: `leaked ${at}`, type: "org" },
    );
    tokens.push({ id: token?.id ?? "", authorization: `Bearer ${secret}` });
  }
  return tokens;
}

const entry = (at: number, token: Token, body?: Buffer): Sent => ({
  path: `/cache/gradle/${String(at).padStart(32, "0")}`,
  headers: asToken(token),
  ...(body && { method: "PUT", body }),
});

/** A member's own writes stop while there is room for the records. @returns the number of an entry that was kept */
async function fillByEntries(stage: Stage, server: RunningServer, token: Token): Promise<number> {
  const { base } = await makeRepository(server, "web");
  let last: Answer | undefined;
  let kept = 0;
  for (; kept < TRIES; kept += 1) {
    last = await send(server.port, entry(kept, token, randomBytes(ENTRY_BYTES)));
    if (last.status >= 400) break;
  }
  const said = last?.body.toString() ?? "";
  stage.check(last?.status === 507 && FULL.test(said), `a full cache: ${last?.status} ${said}`);
  stage.check(kept > 0, "no entry was kept");
  const layer = randomBytes(ENTRY_BYTES);
  const path = `${base}/blobs/uploads/?digest=${digestOf(layer)}`;
  const pushed = await askRegistry(server, { method: "POST", path, body: layer });
  stage.check(
    pushed.status === 507 && codeOf(pushed) !== null && FULL.test(pushed.body.toString()),
    `a push: ${pushed.status} ${pushed.body.toString()}`,
  );
  stage.report("entries until the mark", `${kept} of 1 MiB kept, then ${last?.status}`);
  return kept - 1;
}

/** A member who came by an invitation and a passkey. */
function addMember(file: string): void {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec(`
    INSERT INTO users (id, name, created_at) VALUES ('${MEMBER}', 'Mallory', 0);
    INSERT INTO members (organization_id, user_id, role, created_at)
      SELECT id, '${MEMBER}', 'member', 0 FROM organizations WHERE is_first = 1`);
  db.close();
}

/** As a backup does: while it reads, nothing of the journal can be used again. */
function pinJournal(file: string): DatabaseSync {
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM tokens").get();
  return reader;
}

/** New objects are refused, and the refusal names the disk. */
async function refuseChanges(stage: Stage, server: RunningServer): Promise<void> {
  let last: Answer | undefined;
  let made = 0;
  for (; made < TRIES; made += 1) {
    last = await ask(server, "TokenService/Create", { name: `more ${made}`, type: "org" });
    if (last.status !== 200) break;
  }
  const said = last?.body.toString() ?? "";
  stage.check(last?.status === 503 && FULL.test(said), `a token on a full disk: ${last?.status} ${said}`);
  stage.report("ordinary changes on a full disk", `${made} more had room, then ${last?.status}`);
}

async function revoke(stage: Stage, server: RunningServer, tokens: readonly Token[]): Promise<void> {
  let revoked = 0;
  for (const token of tokens) {
    const { status, body } = await ask(server, "TokenService/Revoke", { token_id: token.id });
    if (!stage.check(status === 200, `a token was not revoked: ${status} ${body.toString()}`)) break;
    revoked += 1;
  }
  const dead = await countDead(server, tokens);
  stage.check(dead === tokens.length, `${tokens.length - dead} of ${tokens.length} tokens still work`);
  stage.report("tokens revoked on a full disk", `${revoked} of ${tokens.length}`);
}

async function countDead(server: RunningServer, tokens: readonly Token[]): Promise<number> {
  let dead = 0;
  for (const token of tokens) {
    const { status } = await ask(server, "AccountService/WhoAmI", {}, asToken(token));
    if (status === 401) dead += 1;
  }
  return dead;
}

async function endRights(stage: Stage, server: RunningServer, cookie: string): Promise<void> {
  const second = await useLink(server, await makeLinkKey(server));
  stage.check(second !== "", "no one can sign in on a full disk");
  const told = await lookUntil("full", async () => {
    const answer = await send(server.port, { path: "/auth/state", headers: { cookie: second } });
    return read<{ disk: { level: string } | null }>(answer).disk?.level;
  });
  stage.check(told === "full", `the application is told ${told}`);
  const out = await send(server.port, json("/auth/sign-out", {}, { headers: { cookie } }));
  stage.check(out.status === 200, `sign-out: ${out.status} ${out.body.toString()}`);
  const after = read<{ user: unknown }>(
    await send(server.port, { path: "/auth/state", headers: { cookie } }),
  );
  stage.check(after.user === null, "who has signed out is still signed in");
  const { projects } = await call<{ projects: { id: string; name: string }[] }>(
    server,
    "ProjectService/List",
    {},
  );
  const doomed = projects?.find(({ name }) => name === "doomed");
  const gone = await ask(server, "ProjectService/Delete", { project_id: doomed?.id });
  stage.check(gone.status === 200, `a project was not deleted: ${gone.status} ${gone.body.toString()}`);
  const removed = await ask(server, "OrganizationService/RemoveMember", { user_id: MEMBER });
  stage.check(removed.status === 200, `a member was not removed: ${removed.body.toString()}`);
  const reset = await ask(server, "CacheService/Reset", { tool: "maven" });
  stage.check(reset.status === 200, `a cache was not reset: ${reset.status} ${reset.body.toString()}`);
  const { events = [] } = await call<{ events: { action: string }[] }>(
    server,
    "OrganizationService/ListAuditEvents",
    { page_size: 50 },
  );
  const actions = new Set(events.map(({ action }) => action));
  for (const action of ["token.revoke", "project.delete", "member.remove"])
    stage.check(actions.has(action), `the audit log has no ${action}`);
}

async function readOn(
  stage: Stage,
  server: RunningServer,
  { kept, builds }: { kept: number; builds: Token },
): Promise<void> {
  const hit = await send(server.port, entry(kept, builds));
  stage.check(hit.status === 200 && hit.body.length === ENTRY_BYTES, `a hit: ${hit.status}`);
  const page = await send(server.port, { path: "/docs" });
  stage.check(page.status === 200, `a page: ${page.status}`);
  await awaitStatus(server, "disk full");
  const ready = await send(server.port, { path: "/readyz" });
  const { status, reasons } = read<{ status: string; reasons: { disk: string } }>(ready);
  stage.check(
    ready.status === 200 && status === "disk full" && /Free some space/.test(reasons?.disk ?? ""),
    `/readyz: ${ready.status} ${ready.body.toString()}`,
  );
  stage.report("/readyz on a full disk", `${ready.status} ${status}`);
}

async function startAgain(
  stage: Stage,
  dataDir: string,
  { leaked, spare }: { leaked: readonly Token[]; spare: Token },
): Promise<RunningServer> {
  fillDisk(dataDir);
  const server = await stage.server({ dataDir });
  // Fills the space that the end of the journal has freed.
  fillDisk(dataDir);
  const status = await awaitStatus(server, "disk full");
  stage.check(status === "disk full", `a start on a full disk is ${status}`);
  const dead = await countDead(server, leaked);
  stage.check(dead === leaked.length, `after a kill ${leaked.length - dead} revoked tokens work again`);
  await revoke(stage, server, [spare]);
  stage.report("a start on a full disk", `${status}; ${dead} of ${leaked.length} tokens stayed revoked`);
  return server;
}

/** Someone makes room. */
async function goOn(stage: Stage, server: RunningServer, builds: Token): Promise<void> {
  rmSync(join(server.dataDir, FILLER));
  const status = await awaitStatus(server, "ready");
  stage.check(status === "ready", `with room again /readyz says ${status}`);
  const put = await send(server.port, entry(TRIES + 1, builds, randomBytes(ENTRY_BYTES)));
  stage.check(put.status < 300, `with room again an entry is answered ${put.status}`);
  const made = await ask(server, "TokenService/Create", { name: "after", type: "org" });
  stage.check(made.status === 200, `with room again a token is answered ${made.status}`);
  stage.report("room again, without a restart", `entry ${put.status}, token ${made.status}`);
}

/** @returns the last status of `/readyz` */
const awaitStatus = (server: RunningServer, wanted: string) =>
  lookUntil(
    wanted,
    async () => read<{ status: string }>(await send(server.port, { path: "/readyz" })).status,
  );

/**
 * The server looks at the disk each second. On one this small, a part of the reserve that was lent meanwhile makes it
 * "low".
 * @returns what was seen last
 */
async function lookUntil<Seen>(
  wanted: Seen,
  see: () => Promise<Seen | undefined>,
): Promise<Seen | undefined> {
  let seen: Seen | undefined;
  for (let look = 0; look < LOOKS && seen !== wanted; look += 1) {
    if (look > 0) await wait(PAUSE_MS);
    seen = await see();
  }
  return seen;
}
