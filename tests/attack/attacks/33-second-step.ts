import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { codeOf } from "#accounts/testing/totp.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import type { Attack, Stage } from "../attack.ts";
import { type Answer, inParallel, json, send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";
import { makeLinkKey } from "../sign-in.ts";
import { carry } from "../worst/carry.ts";

const STEP_MS = 30_000;
const TRIES = 10;
const OVER = /^(?:401|403|404|405|415)$/;
const PAGE = { "sec-fetch-site": "same-origin" };
/** Named by their methods; a test has the whole list. */
const ACTS: readonly [method: string, body: object][] = [
  ["AccountService/DeletePasskey", { passkey_id: "pky_0123456789" }],
  ["AccountService/Update", { mail: "eve@evil.example" }],
  ["BuilderService/GetEndpoint", { build_id: "bld_0123456789", platform: "linux/amd64" }],
  ["CacheService/Purge", { token_id: "tok_0123456789" }],
  ["CacheService/Reset", {}],
  ["ImageService/Delete", { project_id: "prj_0123456789", reference: "latest" }],
  ["ImageService/Tag", { project_id: "prj_0123456789", reference: "old", tag: "latest" }],
  ["MirrorService/Delete", { host: "ghcr.io" }],
  ["MirrorService/Set", { host: "ghcr.io", username: "eve", password: "x" }],
  ["OrganizationService/CreateInvitation", { role: "member" }],
  ["OrganizationService/Delete", { organization: "acme" }],
  ["OrganizationService/RemoveMember", { user_id: "usr_0123456789" }],
  ["OrganizationService/TurnOffTwoStep", { user_id: "usr_0123456789" }],
  ["OrganizationService/UpdateMember", { user_id: "usr_0123456789", role: "owner" }],
  ["ProjectService/Delete", { project_id: "prj_0123456789" }],
  ["ProjectService/ResetCache", { project_id: "prj_0123456789" }],
  ["ProjectService/Update", { project_id: "prj_0123456789", clear_trust_relationships: true }],
  ["ProjectService/Update", { project_id: "prj_0123456789", retention_days: 1 }],
  ["ProjectService/Update", { project_id: "prj_0123456789", cache_size_bytes: "1" }],
  ["TokenService/Create", { name: "eve", type: "user" }],
];
/** Addresses of pages that do dangerous things. */
const PAGES: readonly [path: string, body: object][] = [
  ["/auth/passkey/options", { for: "add" }],
  ["/auth/two-step/totp/begin", {}],
  ["/auth/two-step/totp", { state: "x", code: "123456" }],
  ["/auth/two-step/passkey", {}],
  ["/auth/two-step/recovery-codes", {}],
  ["/auth/two-step/off", {}],
];

export const secondStep: Attack = {
  item: 33,
  name: "one step of two, and a stolen session",
  bound:
    "The first step alone opens nothing; codes work once and cannot be guessed; a session does nothing dangerous until its person confirms, at any endpoint.",
  async run(stage) {
    const server = await stage.server({
      env: { TRUSTED_PROXIES: "127.0.0.1", MILLRACE_OWNER_TOKEN: undefined },
    });
    const [, key = ""] = /\/app\/start\/(\S+)/.exec(server.output()) ?? [];
    const owner = await signIn(server, key, { organization: "acme", name: "ada" });
    // In another browser, some time ago.
    const stolen = await signIn(server, await makeLinkKey(server));
    const app = await setUp(server, owner);
    forgetConfirmations(server);
    const first = await halves(stage, server);
    const half = await replays(stage, server, { app, waiting: [first, await beginHalf(server)] });
    await dangerousActs(stage, server, { stolen, app, half });
    await guesses(stage, server, { app, half });
  },
};

/** A sign-in counts as a confirmation for ten minutes, which no test waits for. */
function forgetConfirmations({ dataDir }: RunningServer): void {
  const database = new DatabaseSync(join(dataDir, "millrace.db"), { timeout: 10_000 });
  database.exec("UPDATE sign_ins SET confirmed_until = NULL");
  database.close();
}

interface App {
  secret: string;
  recoveryCodes: string[];
  /** The time whose code was accepted. */
  setUpAt: number;
}

const bodyOf = (answer: Answer) => JSON.parse(answer.body.toString() || "{}") as Record<string, unknown>;
const cookieIn = (answer: Answer, name: string) =>
  new RegExp(`millrace-${name}=[^;]+`).exec(answer.headers["set-cookie"] ?? "")?.[0] ?? "";
const post = (server: RunningServer, path: string, body: object, cookie = "") =>
  send(server.port, json(path, body, { headers: { ...PAGE, cookie } }));

/** @returns the session's cookie */
async function signIn(server: RunningServer, key: string, person: object = {}): Promise<string> {
  const answer = await post(server, `/auth/start/${key}`, person);
  const cookie = cookieIn(answer, "session");
  if (cookie === "") throw new Error(`Not signed in: ${answer.status} ${answer.body.toString()}`);
  return cookie;
}

async function setUp(server: RunningServer, cookie: string): Promise<App> {
  const { state, secret } = bodyOf(await post(server, "/auth/two-step/totp/begin", {}, cookie));
  const setUpAt = Date.now();
  const code = codeOf(String(secret), setUpAt);
  const answer = await post(server, "/auth/two-step/totp", { state, code }, cookie);
  if (answer.status !== 200) throw new Error(`No second step: ${answer.status} ${answer.body.toString()}`);
  return { secret: String(secret), recoveryCodes: bodyOf(answer)["recoveryCodes"] as string[], setUpAt };
}

/** The code of a half minute that was not accepted yet; the upcoming one also counts. */
const nextCode = ({ secret, setUpAt }: App) => codeOf(secret, Math.max(setUpAt + STEP_MS, Date.now()));

async function beginHalf(server: RunningServer): Promise<string> {
  return cookieIn(await post(server, `/auth/start/${await makeLinkKey(server)}`, {}), "second");
}

/** @returns a half sign-in's cookie */
async function halves(stage: Stage, server: RunningServer): Promise<string> {
  const key = await makeLinkKey(server);
  const answer = await post(server, `/auth/start/${key}`, {});
  stage.check(cookieIn(answer, "session") === "", "a link alone made a session");
  const half = cookieIn(answer, "second");
  const value = half.slice(half.indexOf("=") + 1);
  stage.check(value !== "", "there is no half sign-in");
  const again = await post(server, `/auth/start/${key}`, {});
  stage.check(again.status === 400, `a link that was used for the first step: ${again.status}`);
  const cookies = [half, `millrace-session=${value}`, `${half}; millrace-session=${value}`];
  const whoAmI = "/api/millrace.v1.AccountService/WhoAmI";
  const endpoints: [name: string, sent: Sent][] = [
    ...cookies.flatMap((cookie): [string, Sent][] => [
      ["API", json(whoAmI, {}, { headers: { ...PAGE, cookie } })],
      ["console", { path: "/console/api/searches/overview", headers: { ...PAGE, cookie } }],
      ["events", { path: "/app/acme/events", headers: { ...PAGE, cookie } }],
      ["first run", { path: "/app/acme/first-run", headers: { ...PAGE, cookie } }],
      ["two-step", { path: "/auth/two-step", headers: { ...PAGE, cookie } }],
      ["confirmation", json("/auth/confirm", { code: "123456" }, { headers: { ...PAGE, cookie } })],
      ["turning it off", json("/auth/two-step/off", {}, { headers: { ...PAGE, cookie } })],
      ["a new passkey", json("/auth/passkey/options", { for: "add" }, { headers: { ...PAGE, cookie } })],
      [
        "a CLI's login",
        json(
          "/oauth/device/approve",
          { code: "WDJB-MJHT", organization: "acme" },
          { headers: { ...PAGE, cookie } },
        ),
      ],
      ["the registry", { path: "/v2/acme/web/tags/list", headers: { cookie } }],
    ]),
    ["API, as a token", json(whoAmI, {}, { headers: { authorization: `Bearer ${value}` } })],
    ["cache, as a token", { path: "/cache/ac/x", headers: { authorization: `Bearer ${value}` } }],
    ["registry, as a token", { path: "/v2/", headers: { authorization: `Bearer ${value}` } }],
  ];
  const opened: string[] = [];
  for (const [name, sent] of endpoints) {
    const { status } = await send(server.port, sent);
    if (!OVER.test(String(status))) opened.push(`${name}: ${status}`);
  }
  stage.check(opened.length === 0, `half a sign-in opens ${opened.join(", ")}`);
  const state = await send(server.port, { path: "/auth/state", headers: { ...PAGE, cookie: cookies[2]! } });
  stage.check(bodyOf(state)["user"] === null, "half a sign-in counts as a person");
  const [payload = "", mac = ""] = value.split(".");
  const changed = Buffer.from(payload, "base64url")
    .toString()
    .replace(/usr_\w/, "usr_0");
  const forged = `millrace-second=${Buffer.from(changed).toString("base64url")}.${mac}`;
  const answered = await post(server, "/auth/second-step/options", {}, forged);
  stage.check(answered.status === 401, `a half sign-in of another person: ${answered.status}`);
  stage.report("half a sign-in, at every endpoint", `${endpoints.length} refused`);
  return half;
}

/** @returns the half sign-in that is left */
async function replays(
  stage: Stage,
  server: RunningServer,
  { app, waiting }: { app: App; waiting: readonly string[] },
): Promise<string> {
  const code = nextCode(app);
  const sendCode = (at: number) => post(server, "/auth/second-step", { code }, waiting[at % waiting.length]);
  const sent = await inParallel(5, 5, sendCode);
  const accepted = sent.filter(({ status }) => status === 200).length;
  stage.check(accepted === 1, `a code that was sent five times at once worked ${accepted} times`);
  const later = await inParallel(2, 1, sendCode);
  stage.check(
    later.every(({ status }) => status !== 200),
    "a code worked again within its half minute",
  );
  const left = await inParallel(waiting.length, 1, (at) =>
    post(server, "/auth/second-step/options", {}, waiting[at]),
  );
  const open = waiting.filter((_, at) => left[at]?.status === 200);
  stage.check(open.length === waiting.length - 1, `${open.length} half sign-ins are left`);
  // A used half sign-in uses up no code.
  const used = waiting.find((cookie) => !open.includes(cookie));
  const [recoveryCode] = app.recoveryCodes;
  const dead = await post(server, "/auth/second-step", { recoveryCode }, used);
  stage.check(dead.status === 401, `a half sign-in that was used got ${dead.status}`);
  stage.report("a code, sent at once and again", `${accepted} of 7 accepted`);
  return open[0] ?? "";
}

async function dangerousActs(
  stage: Stage,
  server: RunningServer,
  { stolen, app, half }: { stolen: string; app: App; half: string },
): Promise<void> {
  const done: string[] = [];
  const base = { ...PAGE, cookie: stolen };
  for (const [method, body] of ACTS) {
    const path = `/millrace.v1.${method}`;
    const answer = await send(server.port, json(`/api${path}`, body, { headers: base }));
    const isAsked = answer.headers["millrace-confirm"] === "required" && answer.status === 400;
    if (!isAsked) done.push(`${method} as JSON: ${answer.status} ${answer.body.toString().slice(0, 100)}`);
    // Methods that are always dangerous need no more than an empty message.
    if (["AccountService/Update", "ProjectService/Update"].includes(method)) continue;
    const binary = { method: "POST", path: `/api${path}`, body: Buffer.alloc(0) };
    const proto = await send(server.port, {
      ...binary,
      headers: { ...base, "content-type": "application/proto" },
    });
    if (proto.headers["millrace-confirm"] !== "required") done.push(`${method} as proto: ${proto.status}`);
    const framed = Buffer.from(frameMessage(Buffer.alloc(0)));
    for (const [type, isHttp2] of [
      ["application/grpc", true],
      ["application/grpc-web+proto", false],
    ] as const) {
      const headers = { ...base, "content-type": type };
      const call = { method: "POST", path, headers, body: framed, isHttp2 };
      const { text } = await carry({ port: server.port, builder: null }, call);
      if (!text.endsWith("grpc 9")) done.push(`${method} as ${type}: ${text}`);
    }
  }
  for (const [path, body] of PAGES) {
    const answer = await post(server, path, body, stolen);
    if (answer.status !== 403 || answer.headers["millrace-confirm"] !== "required")
      done.push(`${path}: ${answer.status}`);
  }
  stage.check(done.length === 0, `without a confirmation a session did ${done.join("; ")}`);
  // One session's confirmation does not count for another, nor does a half sign-in's.
  const [recoveryCode] = app.recoveryCodes;
  const swapped = await post(server, "/auth/confirm", { recoveryCode }, half);
  stage.check(swapped.status === 401, `half a sign-in confirmed: ${swapped.status}`);
  const sent = await inParallel(5, 5, () => post(server, "/auth/confirm", { recoveryCode }, stolen));
  const confirmed = sent.filter(({ status }) => status === 200).length;
  stage.check(confirmed === 1, `a recovery code that was sent five times at once worked ${confirmed} times`);
  const replayed = await post(server, "/auth/confirm", { recoveryCode }, stolen);
  stage.check(replayed.status === 400, `a confirmation that was sent again got ${replayed.status}`);
  const allowed = await post(server, "/auth/two-step/totp/begin", {}, stolen);
  stage.check(allowed.status === 200, `after its confirmation a session got ${allowed.status}`);
  stage.report(
    "dangerous acts without a confirmation",
    `${ACTS.length} acts at every endpoint, ${PAGES.length} pages`,
  );
}

async function guesses(
  stage: Stage,
  server: RunningServer,
  { app, half }: { app: App; half: string },
): Promise<void> {
  const right = new Set([-1, 0, 1, 2].map((ahead) => codeOf(app.secret, Date.now(), ahead)));
  const count = stage.isShort ? 200 : 5000;
  const wrong = (at: number) => String((at * 7919) % 1_000_000).padStart(6, "0");
  const codes = Array.from({ length: count }, (_, at) => wrong(at)).filter((code) => !right.has(code));
  const { result, figure } = await stage.measure(server, "guessed codes", () =>
    inParallel(codes.length, 16, (at) => post(server, "/auth/second-step", { code: codes[at] }, half)),
  );
  const seen = result.filter(({ status }) => status === 400).length;
  stage.check(seen <= TRIES, `${seen} of ${codes.length} guesses were looked at`);
  stage.check(
    result.every(({ status }) => status === 400 || status === 429),
    `a guess got ${result.find(({ status }) => status !== 400 && status !== 429)?.status}`,
  );
  stage.report("guessed codes", `${seen} looked at, ${codes.length - seen} × 429`, figure);
  // A stranger without the first step uses up no tries: recovery codes still count, and so does the other endpoint.
  const stranger = await inParallel(50, 8, () => post(server, "/auth/second-step", { code: "123456" }));
  stage.check(
    stranger.every(({ status }) => status === 401),
    "a stranger's guess was looked at",
  );
  const owner = await post(server, "/auth/second-step", { recoveryCode: app.recoveryCodes[4] }, half);
  stage.check(owner.status === 200, `beside guesses a recovery code got ${owner.status}`);
}
