import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Attack, isWait, type Stage } from "../attack.ts";
import { type Answer, inParallel, json, send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

const MEBIBYTE = 1024 * 1024;
/** So many addresses that waiting by address does not help. */
const ADDRESSES = 200;
const FLOOD = { short: 1000, usual: 20_000 };
/** Rows that no known client has asked for. */
const MOST_ROWS = 10_000;

const WHO_AM_I = "/api/millrace.v1.AccountService/WhoAmI";
const EXCHANGE = "/api/millrace.v1.TokenService/ExchangeOidcToken";
const form = { "content-type": "application/x-www-form-urlencoded" };
const DEVICE = "client_id=millrace-cli&client_name=millrace&machine=build-1&system=Linux";

export const strangersAtSignIn: Attack = {
  item: 20,
  name: "strangers at the endpoints of accounts",
  bound:
    "Wrong tokens, codes and links wait by address and cost neither memory nor rows without end; every answer says what to do.",
  async run(stage) {
    const server = await stage.server();
    for (const [name, sent] of hugeRequests()) {
      const { status, failure } = await stage.strike(server, name, sent);
      // A client that is still sending when the connection is cut may not see the answer.
      stage.check((status >= 400 && status < 500) || failure !== null, `${name}: ${status}`);
    }
    await flood(stage, server, "wrong tokens", (at) =>
      json(WHO_AM_I, {}, { headers: { authorization: `Bearer ${wrongToken(at)}` } }),
    );
    await flood(stage, server, "wrong OIDC tokens", (at) =>
      json(EXCHANGE, { project_id: `prj_${String(at).padStart(10, "0")}`, oidc_token: "a.b.c" }),
    );
    await flood(stage, server, "guessed links", (at) =>
      json(`/auth/start/${String(at).padStart(4, "0")}-2MXR-9KTD`, {}),
    );
    await flood(stage, server, "guessed device codes", (at) => ({
      method: "POST",
      path: "/oauth/token",
      headers: form,
      body: `grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=millrace-cli&device_code=${at}`,
    }));
    await flood(stage, server, "logins that no one approves", () => ({
      method: "POST",
      path: "/oauth/device_authorization",
      headers: form,
      body: DEVICE,
    }));
    checkRows(stage, server);
    await oneAddress(stage, server);
  },
};

function hugeRequests(): [name: string, sent: Sent][] {
  const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
  const long = "x".repeat(3.9 * MEBIBYTE);
  return [
    ["a huge body for the API", json(WHO_AM_I, { name: long })],
    ["deep JSON for the API", json(WHO_AM_I, deep)],
    ["a huge OIDC token", json(EXCHANGE, { project_id: "prj_0000000000", oidc_token: long })],
    ["a huge body for sign-in", json("/auth/passkey/sign-in", { state: long })],
    ["deep JSON for sign-in", json("/auth/passkey/sign-in", deep)],
    [
      "a huge form",
      { method: "POST", path: "/oauth/device_authorization", headers: form, body: `machine=${long}` },
    ],
    [
      "a long token",
      json(WHO_AM_I, {}, { headers: { authorization: `Bearer mr_user_${"a".repeat(8000)}` } }),
    ],
  ];
}

/** Well formed, so that the server must look it up. */
function wrongToken(at: number): string {
  return `mr_user_${String(at).padStart(38, "0")}`;
}

async function flood(
  stage: Stage,
  server: RunningServer,
  name: string,
  make: (at: number) => Sent,
): Promise<void> {
  const count = stage.isShort ? FLOOD.short : FLOOD.usual;
  const { result, figure } = await stage.measure(server, name, () =>
    inParallel(count, 16, (at) => send(server.port, { ...make(at), from: stage.address(at % ADDRESSES) })),
  );
  const statuses = new Map<number, number>();
  for (const answer of result) {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    stage.check(isAsExpected(answer), `${name}: ${answer.status} ${answer.body.toString().slice(0, 200)}`);
  }
  const outcome = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${times} × ${status}`);
  stage.report(name, outcome.join(", "), figure);
}

/** Refused in words, or (a login) begun; an answer that asks to wait says for how long. */
function isAsExpected({ status, headers, body }: Answer): boolean {
  if (status === 429 || status === 503) return isWait(headers["retry-after"]);
  if (status === 200) return body.includes("user_code");
  return status >= 400 && status < 500 && body.length > 0 && !/\n\s+at /.test(body.toString());
}

function checkRows(stage: Stage, server: RunningServer): void {
  const db = new DatabaseSync(join(server.dataDir, "millrace.db"), { readOnly: true });
  try {
    for (const table of ["device_codes", "sign_in_links", "sign_ins", "tokens", "audit_events", "leases"]) {
      const rows = Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]);
      const most = table === "device_codes" ? MOST_ROWS : 50;
      stage.check(
        rows <= most,
        `${table} has ${rows} rows that strangers have made, at most ${most} are allowed`,
      );
    }
  } finally {
    db.close();
  }
}

/** Wrong tokens of one address have to wait after a while; other addresses are answered as before. */
async function oneAddress(stage: Stage, server: RunningServer): Promise<void> {
  const ask = (at: number, from: string) =>
    send(server.port, json(WHO_AM_I, {}, { headers: { authorization: `Bearer ${wrongToken(at)}` }, from }));
  const answers = await inParallel(1000, 8, (at) => ask(at, stage.address(ADDRESSES + 1)));
  const refused = answers.filter(({ status }) => status === 429).length;
  stage.check(refused > 0, "1,000 wrong tokens of one address were all told what is wrong");
  const other = await ask(1, stage.address(ADDRESSES + 2));
  stage.check(other.status === 401, `another address was answered ${other.status}`);
  stage.report("wrong tokens of one address", `${refused} of 1000 told to wait`);
}
