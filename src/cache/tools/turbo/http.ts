/**
 * Turborepo, in the words of Vercel's remote cache API. `TURBO_TEAM` and `TURBO_TEAMID` come as `slug` and `teamId`, and name
 * the organization.
 *
 *   GET      /cache/turbo/v8/artifacts/status      whether the cache may be used
 *   POST     /cache/turbo/v8/artifacts             which of several exist, for a dry run
 *   GET, PUT /cache/turbo/v8/artifacts/<hash>      with how long the task took, and the signature of the client's own key
 *   POST     /cache/turbo/v8/artifacts/events      hits and misses; counted here already, and dropped
 *   OPTIONS  …                                     `--preflight`: without this answer the token is no longer sent
 *   GET      /cache/turbo/v2/user, /v2/teams       whose token it is, for `turbo link`
 */
import { badRequest } from "../../http/failures.ts";
import type { Answer, HttpProtocol } from "../../http/call.ts";
import { sendEmpty, sendJson } from "#platform/http/node/answer.ts";
import { dropBody, readQuestion } from "../../http/read-body.ts";
import { receiveEntry } from "../../http/receive-entry.ts";
import { sendFound } from "../../http/send-entry.ts";

/** Artifacts that one query may name. */
const MAX_HASHES = 1000;
/** Bytes of the report about a run. */
const MAX_EVENTS_BYTES = 4_000_000;

/** Headers that are stored with an artifact and sent with it, and their forms. */
const KEPT: readonly (readonly [name: string, form: RegExp])[] = [
  ["x-artifact-duration", /^\d{1,15}$/],
  ["x-artifact-tag", /^[\w+/=-]{1,600}$/],
  ["x-artifact-sha", /^[\da-f]{1,64}$/],
  ["x-artifact-dirty-hash", /^[\da-f]{1,64}$/],
];
const HASH = /^[\w-]{1,128}$/;

const keyOf = (hash: string) => `turbo/${hash}`;

/** @param meta as `put` wrote it */
function readKept(meta: string): Readonly<Record<string, string>> {
  // Written below.
  return meta === "" ? {} : (JSON.parse(meta) as Record<string, string>);
}

const get: Answer = (call, hash = "") => sendFound(call, keyOf(hash), ({ meta }) => readKept(meta));

const put: Answer = async (call, hash = "") => {
  const { headers } = call.request;
  const kept: Record<string, string> = {};
  for (const [name, form] of KEPT) {
    const value = headers[name]?.toString();
    if (value === undefined) continue;
    if (!form.test(value)) throw badRequest(`the header ${name} does not have the form that Turborepo sends`);
    kept[name] = value;
  }
  await receiveEntry(call, keyOf(hash), { meta: JSON.stringify(kept) });
  sendJson(call, { urls: [`/v8/artifacts/${hash}`] }, 202);
};

const status: Answer = (call) => Promise.resolve(sendJson(call, { status: "enabled" }));

const takeEvents: Answer = async (call) => {
  await dropBody(call, MAX_EVENTS_BYTES);
  sendJson(call, {});
};

const findMany: Answer = async (call) => {
  const hashes = readHashes(await readQuestion(call));
  const sizes = await call.cache.findMany(call.grant, hashes.map(keyOf));
  const found = hashes.map((hash): [string, object | null] => {
    const size = sizes.get(keyOf(hash));
    // Its duration and its tag come with the artifact itself.
    return [hash, size === undefined ? null : { size, taskDurationMs: 0 }];
  });
  sendJson(call, Object.fromEntries(found));
};

function readHashes(text: string): string[] {
  let hashes: unknown;
  try {
    hashes = (JSON.parse(text) as { hashes?: unknown } | null)?.hashes;
  } catch {
    // Said below.
  }
  if (!Array.isArray(hashes) || !hashes.every((hash) => typeof hash === "string" && HASH.test(hash)))
    throw badRequest('send {"hashes": ["…"]}');
  if (hashes.length > MAX_HASHES) throw badRequest(`ask about at most ${MAX_HASHES} artifacts at once`);
  return hashes as string[];
}

/** Without `Authorization` among the headers, Turborepo continues without its token. */
const preflight: Answer = (call) =>
  Promise.resolve(
    sendEmpty(call, 204, {
      "access-control-allow-methods": "GET, HEAD, PUT, POST, OPTIONS",
      "access-control-allow-headers": `Authorization, User-Agent, Content-Type, ${KEPT.map(([name]) => name).join(", ")}`,
    }),
  );

const showUser: Answer = (call) => {
  const { actor } = call.grant;
  const isPerson = actor.kind === "user";
  const id = isPerson ? actor.userId : actor.tokenId;
  return Promise.resolve(
    sendJson(call, {
      user: { id, username: actor.name, name: actor.name, email: (isPerson && actor.mail) || "" },
    }),
  );
};

const listTeams: Answer = (call) => {
  const { actor } = call.grant;
  const memberships =
    actor.kind === "user"
      ? actor.memberships.map((each) => ({ ...each, role: each.role.toUpperCase() }))
      : [{ ...actor, role: "MEMBER" }];
  const teams = memberships.map(({ organizationId, organization, role }) => ({
    id: organizationId,
    slug: organization,
    name: organization,
    createdAt: 0,
    created: "1970-01-01T00:00:00.000Z",
    membership: { role },
  }));
  return Promise.resolve(
    sendJson(call, { teams, pagination: { count: teams.length, next: null, prev: null } }),
  );
};

export const http: HttpProtocol = {
  organizationOf: (query) => query.get("slug") || query.get("teamId") || undefined,
  failureBody: (error) => ({ error }),
  routes: [
    { path: /^\/v8\/artifacts$/, example: "/v8/artifacts", methods: { POST: findMany, OPTIONS: preflight } },
    {
      path: /^\/v8\/artifacts\/status$/,
      example: "/v8/artifacts/status",
      methods: { GET: status, OPTIONS: preflight },
    },
    {
      path: /^\/v8\/artifacts\/events$/,
      example: "/v8/artifacts/events",
      methods: { POST: takeEvents, OPTIONS: preflight },
    },
    {
      path: /^\/v8\/artifacts\/([\w-]{1,128})$/,
      example: "/v8/artifacts/969d4d0a3862f092",
      methods: { GET: get, PUT: put, OPTIONS: preflight },
    },
    { path: /^\/v2\/user$/, example: "/v2/user", methods: { GET: showUser, OPTIONS: preflight } },
    { path: /^\/v2\/teams$/, example: "/v2/teams", methods: { GET: listTeams, OPTIONS: preflight } },
  ],
};
