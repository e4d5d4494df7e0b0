import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import type { Attack, Stage } from "../attack.ts";
import { read } from "../documents.ts";
import { json, send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";
import { asOwner, signIn } from "../sign-in.ts";

const HOUR_MS = 3_600_000;
const YEARS_MS = 3_650 * 24 * HOUR_MS;
/** In this order, while the server runs. */
const CLOCKS: [what: string, shiftMs: number][] = [
  ["right", 0],
  ["an hour behind", -HOUR_MS],
  ["an hour ahead", HOUR_MS],
  ["ten years ahead", YEARS_MS],
  ["an hour behind again", -HOUR_MS],
  ["right again", 0],
];
const ENTRY_BYTES = 20_000;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const PENDING = "authorization_pending";
/** The server looks at its builds every two seconds. */
const BUILDS_LOOK_MS = 2_500;
/** Size of a page of audit events: fewer than there are for each clock. */
const PAGE_SIZE = 3;
/** Each start's message about a clock that is years ahead. */
const WARNING = "By this server's clock";
/** Sweeps of telemetry, accounts, cache and images: the first ones run within minutes of a start. */
const SWEEPS = 4;
const LOOKS = 1_200;
const PAUSE_MS = 250;

export const wrongClock: Attack = {
  item: 35,
  name: "a clock that is wrong",
  bound:
    "An hour behind, an hour or ten years ahead, while the server runs and over restarts: tokens, entries, calls and builds that wait continue, a login of the CLI ends only when this clock says so, nothing is lost, and all is well when the clock is right.",
  async run(stage) {
    const dataDir = stage.dataDir();
    const first = await stage.server({ dataDir });
    const world = await begin(first);
    let login = { code: "", at: 0 };
    for (const [what, shiftMs] of CLOCKS) {
      await first.probe("read", { shiftMs });
      const moment = { ...world, what, isYearsAhead: shiftMs === YEARS_MS };
      await use(stage, first, moment);
      login = await pollLogin(stage, first, { what, login, shiftMs });
      if (shiftMs > 0) await lookAtBuild(stage, first, moment);
    }
    await first.stop();
    for (const [what, shiftMs] of [
      ["ten years ahead at a start", YEARS_MS],
      ["right at a start", 0],
    ] as const) {
      const server = await stage.server({ dataDir, env: { ATTACK_CLOCK_MS: String(shiftMs) } });
      await use(stage, server, { ...world, what, isYearsAhead: shiftMs === YEARS_MS });
      if (shiftMs === YEARS_MS) await awaitSweeps(stage, server);
      await server.stop();
    }
    await lookBack(stage, await stage.server({ dataDir }), world);
  },
};

interface World {
  token: string;
  revoked: string;
  cookie: string;
  /** Entries that were put, by their paths. */
  entries: Map<string, Buffer>;
  projects: string[];
  /** A build that waits for its client. */
  build: string;
}

const call = (server: RunningServer, method: string, body: object, headers: Sent["headers"] = asOwner) =>
  send(server.port, json(`/api/millrace.v1.${method}`, body, { headers: { ...headers } }));
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function makeToken(server: RunningServer, name: string) {
  const answer = await call(server, "TokenService/Create", { name, type: "org" });
  return read<{ token: { id: string }; secret: string }>(answer);
}

async function begin(server: RunningServer): Promise<World> {
  const [kept, leaked] = [await makeToken(server, "kept"), await makeToken(server, "leaked")];
  await call(server, "TokenService/Revoke", { token_id: leaked.token?.id });
  const cookie = await signIn(server);
  const made = await call(server, "ProjectService/Create", { name: "builds" });
  const { project } = read<{ project: { id: string } }>(made);
  const created = await call(server, "BuildService/CreateBuild", { project_id: project?.id });
  const build = read<{ build: { id: string } }>(created).build?.id ?? "";
  const secrets = { token: kept.secret ?? "", revoked: leaked.secret ?? "" };
  return { ...secrets, cookie, entries: new Map(), projects: [], build };
}

interface Login {
  code: string;
  /** How far the clock was from the right one when it began. */
  at: number;
}

/** Polls a login that began under the former clock; only a clock that went ahead has ended it. @returns the next login */
async function pollLogin(
  stage: Stage,
  server: RunningServer,
  { what, login, shiftMs }: { what: string; login: Login; shiftMs: number },
): Promise<Login> {
  const ask = (path: string, fields: Record<string, string>) =>
    send(server.port, {
      method: "POST",
      path,
      headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": stage.address(1) },
      body: new URLSearchParams({ client_id: "millrace-cli", ...fields }).toString(),
    });
  const poll = async (code: string) =>
    read<{ error: string }>(await ask("/oauth/token", { grant_type: DEVICE_GRANT, device_code: code })).error;
  const wanted = shiftMs > login.at ? "expired_token" : PENDING;
  const answer = login.code === "" ? wanted : await poll(login.code);
  stage.check(answer === wanted, `with a clock ${what}, a login from before: ${answer}, not ${wanted}`);
  // This removes expired logins.
  const begun = read<{ device_code: string }>(await ask("/oauth/device_authorization", {}));
  const code = begun.device_code ?? "";
  const fresh = await poll(code);
  stage.check(fresh === PENDING, `with a clock ${what}, a login of the CLI: ${fresh}`);
  return { code, at: shiftMs };
}

/** After the server has looked after its builds. */
async function lookAtBuild(stage: Stage, server: RunningServer, { what, build }: Moment): Promise<void> {
  await wait(BUILDS_LOOK_MS);
  const answer = await call(server, "BuildService/GetBuild", { build_id: build });
  const { state } = read<{ build: { state: string } }>(answer).build ?? {};
  stage.check(state === "queued", `with a clock ${what}, a build that waits for its client: ${state}`);
}

interface Moment extends World {
  what: string;
  isYearsAhead: boolean;
}

async function use(stage: Stage, server: RunningServer, moment: Moment): Promise<void> {
  const { what, token, revoked, cookie, entries, projects, isYearsAhead } = moment;
  const statuses: string[] = [];
  const expect = (of: string, status: number, wanted: number) => {
    statuses.push(`${of} ${status}`);
    stage.check(status === wanted, `with a clock ${what}, ${of}: ${status} instead of ${wanted}`);
  };
  expect("a token", (await call(server, "AccountService/WhoAmI", {}, bearer(token))).status, 200);
  expect("a revoked one", (await call(server, "AccountService/WhoAmI", {}, bearer(revoked))).status, 401);
  for (const [path, body] of entries) {
    const hit = await send(server.port, { path, headers: bearer(token) });
    expect("an entry", hit.body.equals(body) ? hit.status : 0, 200);
  }
  const path = `/cache/gradle/${randomBytes(16).toString("hex")}`;
  const body = randomBytes(ENTRY_BYTES);
  const put = await send(server.port, { method: "PUT", path, body, headers: bearer(token) });
  expect("a put", put.status < 300 ? 200 : put.status, 200);
  entries.set(path, body);
  const name = `p${projects.length}`;
  const create = () =>
    call(server, "ProjectService/Create", { name }, { ...asOwner, "idempotency-key": `key-${name}` });
  const [made, again] = [await create(), await create()];
  expect("a project", made.status, 200);
  expect("the same again", made.body.equals(again.body) ? again.status : 0, 200);
  projects.push(name);
  const answer = json("/feedback", { path: "/docs", answer: "yes", text: name });
  expect("feedback", (await send(server.port, answer)).status, 204);
  expect("a search", (await send(server.port, { path: "/docs?q=cache" })).status, 200);
  const { user } = read<{ user: object | null }>(
    await send(server.port, { path: "/auth/state", headers: { cookie } }),
  );
  // A clock that is years ahead has ended it.
  if (!isYearsAhead) expect("a session", user ? 200 : 401, 200);
  stage.report(`a clock ${what}`, statuses.filter((each) => !each.startsWith("an entry")).join(", "));
}

/** In the long form: the first sweeps of a server whose clock is ten years ahead. */
async function awaitSweeps(stage: Stage, server: RunningServer): Promise<void> {
  const said = () => server.output().split(WARNING).length - 1;
  const wanted = stage.isShort ? 1 : SWEEPS;
  for (let look = 0; look < LOOKS && said() < wanted; look += 1) await wait(PAUSE_MS);
  stage.check(said() >= wanted, `a start ten years ahead warned ${said()} times`);
}

async function lookBack(stage: Stage, server: RunningServer, world: World): Promise<void> {
  const { token, entries, projects, cookie } = world;
  await use(stage, server, { ...world, what: "right at last", isYearsAhead: false });
  const kept = await Promise.all(
    [...entries].map(async ([path, body]) =>
      (await send(server.port, { path, headers: bearer(token) })).body.equals(body),
    ),
  );
  const created = await auditTargets(server);
  const missing = projects.filter((name) => created.filter((target) => target === name).length !== 1);
  stage.check(missing.length === 0, `the audit log has not exactly once: ${missing.join(", ")}`);
  const answers = countAnswers(server.dataDir);
  stage.check(answers === projects.length, `${answers} of ${projects.length} answers to feedback are there`);
  const fresh = await signIn(server);
  stage.check(fresh !== "" && fresh !== cookie, "no one can sign in any more");
  stage.check(!/\b(?:TypeError|RangeError)\b/.test(server.output()), "the server has failed");
  stage.report(
    "after all of them",
    `${kept.filter(Boolean).length} of ${entries.size} entries, ${answers} of ${projects.length} answers, ${created.length} audit lines`,
  );
}

async function auditTargets(server: RunningServer): Promise<string[]> {
  const targets: string[] = [];
  for (let page_token = ""; ;) {
    const answer = await call(server, "OrganizationService/ListAuditEvents", {
      action: "project.create",
      page_size: PAGE_SIZE,
      page_token,
    });
    const page = read<{ events: { target: string }[]; nextPageToken: string; next_page_token: string }>(
      answer,
    );
    targets.push(...(page.events ?? []).map(({ target }) => target));
    page_token = page.next_page_token ?? page.nextPageToken ?? "";
    if (page_token === "") return targets;
  }
}

function countAnswers(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, "telemetry.sqlite"));
  try {
    return Number(db.prepare("SELECT count(*) AS count FROM feedback").get()?.["count"]);
  } finally {
    db.close();
  }
}
