/** Requests to a busy site: from readers, from known clients, and from strangers of millions of networks. */
import type { Agent } from "node:http";
import { BEHIND_PROXY, bearer, type Endpoint, endpointsFor, makeToken, wrongToken } from "./endpoints.ts";
import { emptyIndex, makeRepository, putManifest } from "./registry-client.ts";
import { json, send, type Sent } from "./requests.ts";
import type { RunningServer } from "./server-process.ts";
import { signIn } from "./sign-in.ts";

/** Makes request number `number`. @returns its status; 0 when there was no answer */
export type Ask = (number: number, agent: Agent) => Promise<number>;

/** The environment of a soak's server. Its limits are the usual ones, so that they are part of the soak. */
export const SOAK_ENVIRONMENT = BEHIND_PROXY;

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const DEVICE = "client_id=millrace-cli&client_name=millrace&machine=build-1&system=Linux";
/** Tokens of builds that run all the time. */
const TOKENS = 8;
/** Entries and images that are written again and again. */
const KEPT = 2000;

interface Known {
  tokens: readonly string[];
  cookie: string;
  /** `/v2/first/soak` */
  repository: Awaited<ReturnType<typeof makeRepository>>;
}

/** A hundred kinds, all equally often. */
export async function openMix(server: RunningServer): Promise<Ask> {
  const repository = await makeRepository(server, "soak");
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => makeToken(server)));
  const known: Known = { tokens, cookie: await signIn(server), repository };
  const [organization = ""] = repository.name.split("/");
  return async (number, agent) => {
    const kind = number % 100;
    const turn = Math.floor(number / 100);
    if (kind < 60) return status(server, agent, number, reader(kind, number));
    if (kind < 85) return status(server, agent, number, whoIsKnown(known, kind - 60, turn));
    if (kind < 95) return status(server, agent, number, stranger(kind - 85, number));
    const endpoints = endpointsFor(organization, agent);
    const endpoint = endpoints[turn % endpoints.length]!;
    return attempt(server, endpoint, { number, good: kind < 97 ? tokens[turn % TOKENS]! : null });
  };
}

function reader(kind: number, number: number): Sent {
  if (kind === 0) return { path: `/docs?q=w${number}` };
  if (kind === 1) return { path: `/docs/none/${number}` };
  if (kind === 2) return json("/multi-search", `{"queries":[{"x${number}":1}]}`);
  if (kind === 3) return json("/feedback", { path: "/docs/faq", answer: "maybe", text: `${number}` });
  if (kind < 10) return { path: `/indexes/docs/search?q=w${number}&limit=1` };
  if (kind < 15)
    return json("/ingest/e/", {
      event: "soak",
      distinct_id: `reader-${number % 1000}`,
      properties: { at: number },
    });
  if (kind < 40) return { path: "/docs", headers: { accept: "text/html" } };
  if (kind < 45) return { path: "/llms.txt" };
  return json("/multi-search", {
    queries: [{ indexUid: "docs", q: `cache ${number}`, attributesToHighlight: ["*"] }],
  });
}

function whoIsKnown({ tokens, cookie, repository }: Known, kind: number, turn: number): Sent {
  const headers = bearer(tokens[turn % tokens.length]!);
  const at = turn % KEPT;
  const entry = `/cache/turbo/v8/artifacts/${at.toString(16).padStart(16, "0")}`;
  const api = (method: string, body: object) => json(`/api/millrace.v1.${method}`, body, { headers });
  if (kind < 4) return { path: entry, headers };
  if (kind < 6) return { path: `${entry}f`, headers };
  if (kind < 10) return { method: "PUT", path: entry, headers, body: `soak ${turn}` };
  if (kind < 13) return { path: `${repository.base}/manifests/tag-${at}`, headers };
  if (kind < 14) {
    const sent = putManifest(repository, `tag-${at}`, emptyIndex({ annotations: { turn: `${turn}` } }));
    return { ...sent, headers: { ...sent.headers, ...headers } };
  }
  if (kind < 18) return api("AccountService/WhoAmI", {});
  if (kind < 20) return api("ProjectService/List", { pageSize: 100 });
  if (kind < 21) return api("OrganizationService/ListAuditEvents", { pageSize: 20 });
  if (kind < 22) return api("BuildService/ListBuilds", { pageSize: 20 });
  if (kind < 23) return api("TokenService/List", { pageSize: 100 });
  if (kind < 24) return { path: "/app", headers: { cookie } };
  return json("/api/millrace.v1.AccountService/WhoAmI", {}, { headers: { cookie } });
}

function stranger(kind: number, number: number): Sent {
  if (kind < 2) return { method: "POST", path: "/oauth/device_authorization", headers: FORM, body: DEVICE };
  if (kind < 4) return json(`/auth/start/${String(number % 10_000).padStart(4, "0")}-2MXR-9KTD`, {});
  if (kind < 5) return json("/auth/mail", { mail: `reader-${number}@acme.example` });
  if (kind < 6) return json("/auth/passkey/options", { for: "sign-in" });
  if (kind < 7) return { path: "/auth/state" };
  if (kind < 8) return { path: "/app/sign-in" };
  return json(
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { headers: { accept: "application/json, text/event-stream" } },
  );
}

async function status(server: RunningServer, agent: Agent, number: number, sent: Sent): Promise<number> {
  const headers = { ...sent.headers, "x-forwarded-for": networkOf(number) };
  return (await send(server.port, { ...sent, headers, agent })).status;
}

async function attempt(
  server: RunningServer,
  endpoint: Endpoint,
  { number, good }: { number: number; good: string | null },
): Promise<number> {
  const headers = bearer(good ?? wrongToken(number));
  return Math.max(0, await endpoint.attempt(server, { headers, as: networkOf(number) }));
}

/** One of 65,536 networks of 48 bits, and within it a different network of 64 bits each time. */
function networkOf(number: number): string {
  const site = (number * 40_503) % 65_536;
  const part = Math.floor(number / 65_536);
  return `2001:db8:${site.toString(16)}:${part.toString(16)}::1`;
}
