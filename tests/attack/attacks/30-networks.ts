import { Agent } from "node:http";
import { REFUSED_RATE } from "#accounts/index.ts";
import { CALL_RATE, PAGE_RATE, type RequestRate } from "#platform/http/limits/request-rates.ts";
import type { Attack, Stage } from "../attack.ts";
import {
  BEHIND_PROXY,
  bearer,
  type Endpoint,
  endpointsFor,
  type Attempt,
  makeToken,
  wrongToken,
} from "../endpoints.ts";
import { inParallel, json, send, type Sent } from "../requests.ts";
import { ADMIN_KEY, type RunningServer } from "../server-process.ts";
import { asOwner, signIn } from "../sign-in.ts";

/** So that a fraction of the requests is enough: numbers of requests follow from the rates. */
const FACTORS = { short: 0.02, usual: 0.05 };
/** Clients' worth that a network of 48 bits may take. */
const SHARE = 16;
const NETWORKS = { short: 1_000, usual: 20_000 };

const ATTACKED = "2001:db8:1";
const ELSEWHERE = "2001:db8:ffff::1";
const OFFICE = "203.0.113.7";

const factorOf = ({ isShort }: Stage): number => (isShort ? FACTORS.short : FACTORS.usual);

/** What one client may send to the attacked servers. */
function scaled(stage: Stage, { perMinute, burst }: RequestRate): RequestRate {
  const factor = factorOf(stage);
  return { perMinute: perMinute * factor, burst: burst * factor };
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** The network of 64 bits with this number, in one of 48. */
const within = (at: number) => `${ATTACKED}:${(at % 65_536).toString(16)}::1`;
/** The network of 48 bits with this number, in one of 32. */
const beside = (at: number) => `2001:db9:${(at % 65_536).toString(16)}::1`;

export const networks: Attack = {
  item: 30,
  name: "networks full of strangers",
  bound:
    "A network gets its share and no more, whatever number of addresses it has; who is known is served from within it, at every endpoint, also right after a restart; newcomers from elsewhere notice nothing.",
  async run(stage) {
    const env = { ...BEHIND_PROXY, RATE_LIMIT_FACTOR: String(factorOf(stage)) };
    const dataDir = stage.dataDir();
    const first = await stage.server({ env, dataDir });
    const seen = await makeToken(first);
    const cookie = await signIn(first);
    await oneSite(stage, first, { seen, cookie });
    await manySites(stage, first);
    await office(stage, first, { seen, unseen: await makeToken(first) });
    await searchKeys(stage, first);
    const unseen = await makeToken(first);
    await first.stop();
    await office(stage, await stage.server({ env, dataDir }), { seen, unseen });
  },
};

interface Known {
  seen: string;
  cookie: string;
}

/** Every network of 64 bits in one of 48; meanwhile a known client asks from within it, and a newcomer from elsewhere. */
async function oneSite(stage: Stage, server: RunningServer, { seen, cookie }: Known): Promise<void> {
  const [api] = await prepareEndpoints(server);
  const session = { cookie };
  const neighbor = `${ATTACKED}:ffff::1`;
  const state = { path: "/auth/state" };
  const whoAmI = json("/api/millrace.v1.AccountService/WhoAmI", {});
  const floods: Flood[] = [
    {
      name: "wrong tokens",
      rate: scaled(stage, REFUSED_RATE),
      attempt: (at) => api!.attempt(server, { headers: bearer(wrongToken(at)), as: within(at) }),
      others: [
        [200, () => ask(server, whoAmI, { headers: bearer(seen), as: neighbor })],
        [200, () => ask(server, whoAmI, { headers: session, as: neighbor })],
        [401, () => ask(server, whoAmI, { headers: bearer("mr_user_none"), as: ELSEWHERE })],
      ],
    },
    {
      name: "calls",
      rate: scaled(stage, CALL_RATE),
      attempt: (at) => ask(server, state, { headers: {}, as: within(at) }),
      others: [
        [200, () => ask(server, state, { headers: session, as: neighbor })],
        [200, () => ask(server, state, { headers: {}, as: ELSEWHERE })],
      ],
    },
    {
      name: "pages",
      rate: scaled(stage, PAGE_RATE),
      attempt: (at) => ask(server, { path: `/none/${at}` }, { headers: {}, as: within(at) }),
      others: [
        [404, () => ask(server, { path: "/none" }, { headers: session, as: neighbor })],
        [404, () => ask(server, { path: "/none" }, { headers: {}, as: ELSEWHERE })],
      ],
    },
  ];
  for (const flood of floods) await floodOneSite(stage, server, flood);
}

interface Flood {
  name: string;
  rate: RequestRate;
  attempt: (at: number) => Promise<number>;
  /** Clients that must be served meanwhile, and with which status. */
  others: readonly (readonly [status: number, ask: () => Promise<number>])[];
}

async function floodOneSite(
  stage: Stage,
  server: RunningServer,
  { name, rate, attempt, others }: Flood,
): Promise<void> {
  const half = 2 * rate.burst * SHARE;
  const began = performance.now();
  const outcome = await measured(
    stage,
    server,
    { name: `${name} of one /48`, count: 2 * half },
    async (at) => {
      const [wanted, other] = others[at % others.length]!;
      // Others ask once the network has used its share up.
      if (at < half || at % 100 > others.length) return attempt(at);
      const got = await other();
      stage.check(got === wanted, `beside ${name}: ${at % others.length} got ${got}, not ${wanted}`);
      return null;
    },
  );
  const minutes = (performance.now() - began) / 60_000;
  const served = outcome.result.filter((status) => status !== 429 && status !== null).length;
  // A slow machine takes longer, and the network's share grows meanwhile.
  const share = Math.ceil((rate.burst + rate.perMinute * minutes) * SHARE);
  stage.check(served <= share, `${name}: ${served} from one /48 were served, its share is ${share}`);
  const told = `${served} of ${outcome.result.length} served, ${outcome.each} ms of CPU each`;
  stage.report(`${name} of one /48`, told, outcome.figure);
}

/** One client of each network of 48 bits. */
async function manySites(stage: Stage, server: RunningServer): Promise<void> {
  const [api] = await prepareEndpoints(server);
  const attempt = (at: number) =>
    at % 2
      ? api!.attempt(server, { headers: bearer(wrongToken(at)), as: beside(at) })
      : ask(server, { path: "/auth/state" }, { headers: {}, as: beside(at) });
  const { result, figure } = await measured(stage, server, { name: "one client of each /48" }, attempt);
  const refused = result.filter((status) => status === 429).length;
  stage.check(refused === 0, `${refused} newcomers from networks of their own were told to wait`);
  stage.report("one client of each /48", `${result.length - refused} of ${result.length} served`, figure);
}

/** Wrong tokens of one address at every endpoint, and good ones from the same address. */
async function office(
  stage: Stage,
  server: RunningServer,
  { seen, unseen }: { seen: string; unseen: string },
): Promise<void> {
  const endpoints = await prepareEndpoints(server);
  const { burst } = scaled(stage, REFUSED_RATE);
  for (const [number, { name, attempt }] of endpoints.entries()) {
    const wrong = (at: number) =>
      attempt(server, { headers: bearer(wrongToken(number * 1000 + at)), as: OFFICE });
    const statuses = await inParallel(burst * 4, 8, wrong);
    const late = await wrong(999);
    stage.check(late === 429, `${name}: after ${statuses.length} wrong tokens another one got ${late}`);
  }
  let served = 0;
  for (const { name, attempt } of endpoints)
    for (const [which, token] of [
      ["seen before", seen],
      ["never seen", unseen],
    ] as const) {
      const status = await attempt(server, { headers: bearer(token), as: OFFICE });
      if (stage.check(status === 200, `${name}: a good token (${which}) got ${status}`)) served++;
    }
  stage.report(
    "good tokens behind an address with wrong ones",
    `${served} of ${2 * endpoints.length} served`,
  );
  const name = "wrong tokens beyond the limit";
  const attempt = (at: number) =>
    endpoints[0]!.attempt(server, { headers: bearer(wrongToken(20_000 + at)), as: OFFICE });
  const { each, figure } = await measured(stage, server, { name }, attempt);
  stage.report(name, `${each} ms of CPU each`, figure);
}

/** The same for keys of the search. */
async function searchKeys(stage: Stage, server: RunningServer): Promise<void> {
  const admin = { authorization: `Bearer ${ADMIN_KEY}` };
  const keys = await send(server.port, { path: "/search/keys", headers: admin });
  const [{ key }] = (JSON.parse(keys.body.toString()) as { results: [{ key: string }] }).results;
  const sent = json("/search/multi-search", { queries: [{ indexUid: "docs", q: "cache" }] });
  const flood = (at: number) => ask(server, sent, { headers: bearer(`wrong-${at}`), as: within(at) });
  const { result } = await measured(stage, server, { name: "searches of one /48" }, flood);
  stage.check(result.includes(429), `${result.length} searches of one /48 were all answered`);
  await expectStatus(stage, 200, [
    ["a neighbor's search key", ask(server, sent, { headers: bearer(key), as: within(1) })],
    ["a newcomer's search", ask(server, sent, { headers: {}, as: ELSEWHERE })],
  ]);
}

async function prepareEndpoints(server: RunningServer): Promise<Endpoint[]> {
  const sent = json("/api/millrace.v1.AccountService/WhoAmI", {}, { headers: asOwner });
  const { body } = await send(server.port, sent);
  const { organization } = JSON.parse(body.toString()) as { organization: string };
  return endpointsFor(organization, agent);
}

async function measured<Status>(
  stage: Stage,
  server: RunningServer,
  { name, count = stage.isShort ? NETWORKS.short : NETWORKS.usual }: { name: string; count?: number },
  attempt: (at: number) => Promise<Status>,
) {
  const found = await stage.measure(server, name, () => inParallel(count, 16, attempt));
  return { ...found, each: (found.cpuMs / count).toFixed(2) };
}

async function ask({ port }: RunningServer, sent: Sent, { headers, as }: Attempt): Promise<number> {
  const all = { ...sent.headers, ...headers, "x-forwarded-for": as };
  return (await send(port, { ...sent, agent, headers: all })).status;
}

async function expectStatus(
  stage: Stage,
  wanted: number,
  asked: readonly [name: string, status: Promise<number>][],
): Promise<void> {
  for (const [name, status] of asked) {
    const got = await status;
    stage.check(got === wanted, `${name} got ${got}, not ${wanted}`);
  }
}
