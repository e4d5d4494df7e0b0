/** For tests: every method of the API with a meaningful request, in every protocol. */
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { Hono } from "hono";
import { createInvitation, createProject, createToken } from "#accounts/index.ts";
import { makePerson, type TestPerson } from "#accounts/testing/accounts.ts";
import type { MethodFacts } from "#api/testing/facts.ts";
import type { TestApi, TestSide } from "./callers.ts";

/** Field → id of an existing object. */
export type Objects = Readonly<Record<string, string>>;
export type Body = Readonly<Record<string, JsonValue>>;

const MIRROR_HOST = "ghcr.io";
/** A secret that no answer contains. */
export const MIRROR_PASSWORD = "the-password-of-ann";

let count = 0;
const newName = () => `n-${(count += 1)}`;

/** Separate objects for each call, so that deleting one does not affect other calls. */
export async function makeObjects(api: TestApi, side: TestSide, person: TestPerson): Promise<Objects> {
  const { accounts, time } = api;
  const { organizationId, projectId } = side;
  const owner = side.owner.caller;
  const project = await createProject(accounts, owner, { name: newName() });
  const { token } = await createToken(accounts, owner, { name: newName(), type: "project", projectId });
  const { invitation } = await createInvitation(accounts, owner, { organization: organizationId });
  const { userId } = await makePerson(api, newName(), { organizationId, role: "member" });
  const name = newName();
  const row = { user_id: person.userId, name, created_at: time.now, last_used_at: time.now };
  const key = { credential_id: name, public_key: "", counter: 0, transports: "[]" };
  const passkeyId = `pky_${name}`;
  await accounts.db
    .insertInto("passkeys")
    .values({ id: passkeyId, ...row, ...key })
    .execute();
  const signInId = `sgn_${name}`;
  const browser = { key_hash: name, browser: "Firefox", address: "192.0.2.9", expires_at: time.now + 1e9 };
  await accounts.db
    .insertInto("sign_ins")
    .values({
      id: signInId,
      user_id: person.userId,
      created_at: time.now,
      last_used_at: time.now,
      ...browser,
    })
    .execute();
  await writeToCache(api, { organizationId, tokenId: token.id });
  await api.registry.mirrors?.set(owner, { host: MIRROR_HOST, username: "ann", password: MIRROR_PASSWORD });
  const reference = `tag_${newName()}`;
  // A project's tokens name their own project.
  for (const id of [project.id, projectId]) await pushImage(api, side, { projectId: id, tag: reference });
  return {
    reference,
    ...(await registerBuilds(api, side)),
    organization: organizationId,
    project_id: project.id,
    token_id: token.id,
    invitation_id: invitation.id,
    user_id: userId,
    passkey_id: passkeyId,
    sign_in_id: signInId,
  };
}

/** Adds an entry that can be purged. */
async function writeToCache(
  { cache }: TestApi,
  { organizationId, tokenId }: { organizationId: string; tokenId: string },
): Promise<void> {
  const actor = { kind: "organization", tokenId, name: "ci", organizationId, organization: "" } as const;
  const grant = await cache.grant({ ...actor, expiresAt: null, readOnly: false }, "bazel", "write");
  const upload = cache.receive(grant);
  await upload.write(Buffer.from(tokenId));
  await cache.put(grant, `ac/${tokenId}`, await upload.finish());
}

/** `makeObjects`' key of the ended build: a stream of the other build would not end. */
const ENDED_BUILD = "ended build";
const STEP = `sha256:${"1".repeat(64)}`;

/** Builds of the project that has tokens: one waiting, one ended. */
async function registerBuilds(
  { builds, database }: TestApi,
  { owner, projectId }: TestSide,
): Promise<Objects> {
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const { id } = await builds.create(owner.caller, input);
  const { id: endedId } = await builds.create(owner.caller, input);
  await builds.cancel(owner.caller, endedId);
  const nothing = { cached: 0, error: "", exit_code: 0, inputs: "[]", log_lines: 0, revision: 0 } as const;
  const times = { started_at: null, finished_at: null, duration_ms: 0, saved_ms: 0 };
  const step = { id: STEP, name: "RUN true", platform: "linux/amd64", position: 0, number: 1 };
  await database.db
    .insertInto("build_steps")
    .values({ build_id: id, ...step, state: "succeeded", ...times, ...nothing })
    .execute();
  return { build_id: id, [ENDED_BUILD]: endedId };
}

/** An index without images. */
async function pushImage(
  { registry }: TestApi,
  { organizationId, owner }: TestSide,
  { projectId, tag }: { projectId: string; tag: string },
): Promise<void> {
  const repository = { id: projectId, name: projectId, organizationId, projectId };
  const mediaType = "application/vnd.oci.image.index.v1+json";
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, manifests: [] }));
  const grant = { repository, right: "push", actor: owner.caller.actor } as const;
  await registry.manifests.put(grant, { reference: tag, mediaType, bytes });
}

/** Well-formed ids of objects that do not exist. */
export const missingIds = (objects: Objects): Objects =>
  Object.fromEntries(Object.entries(objects).map(([field, id]) => [field, `${id.slice(0, -3)}zzz`]));

/** Values of other fields. */
const SAMPLES: Readonly<Record<string, () => JsonValue>> = {
  name: newName,
  type: () => "org",
  role: () => "member",
  page_size: () => 1,
  tool: () => "bazel",
  tag: newName,
  from: () => "2026-11-01T00:00:00Z",
  oidc_token: () => "a.b.c",
  host: () => MIRROR_HOST,
  step_id: () => STEP,
  platform: () => "linux/amd64",
  states: () => ["queued"],
  succeeded: () => false,
  username: () => "ann",
  password: () => MIRROR_PASSWORD,
  trust_relationship: () => ({ issuer: "https://ci.example", claims: { sub: "a" } }),
};
/** Fields that name no object in these requests. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  "TokenService/Create": ["project_id"],
  "ProjectService/TestTrust": ["oidc_token"],
};

/** @throws Error for a required field without a sample */
export function bodyOf({ name, fields, isMissing, isStream }: MethodFacts, objects: Objects): Body {
  if (isMissing) return {};
  const body: Record<string, JsonValue> = {};
  for (const { name: field, required } of fields) {
    const object = isStream && field === "build_id" ? objects[ENDED_BUILD] : objects[field];
    const value = WITHOUT[name]?.includes(field) ? undefined : (object ?? SAMPLES[field]?.());
    if (value !== undefined) body[field] = value;
    else if (required) throw new Error(`${name} needs a sample of ${field}: add one to SAMPLES.`);
  }
  return body;
}

export interface CallAnswer {
  /** The API's code; "ok" when there is no error. */
  code: string;
  message: string;
  status: number;
  /** Body and headers, unchanged. */
  text: string;
}

/** One frame of a Connect stream. */
function frame(text: string): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(text);
  const bytes = new Uint8Array(body.length + 5);
  new DataView(bytes.buffer).setUint32(1, body.length);
  bytes.set(body, 5);
  return bytes;
}

/** @returns the content of the last frame */
function lastFrame(bytes: Buffer): Buffer {
  const end = 5 + bytes.readUInt32BE(1);
  return end < bytes.length ? lastFrame(bytes.subarray(end)) : bytes.subarray(5);
}

/** JSON over HTTP; with Connect's frames if the method is a stream. */
export async function callAsJson(
  app: Hono,
  origin: string,
  call: { method: MethodFacts; body: Body; headers: Readonly<Record<string, string>> },
): Promise<CallAnswer> {
  const { method, body, headers } = call;
  const text = JSON.stringify(body);
  const type = method.isStream ? "application/connect+json" : "application/json";
  const answer = await app.request(`${origin}/api/millrace.v1.${method.name}`, {
    method: "POST",
    headers: { ...headers, "content-type": type },
    body: method.isStream ? frame(text) : text,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const raw = bytes.toString();
  const json: unknown = JSON.parse(method.isStream ? lastFrame(bytes).toString() : raw);
  // Both forms of an error.
  const { error = json } = json as { error?: unknown };
  const { code = "ok", message = "" } = error as { code?: string; message?: string };
  const shown = JSON.stringify([...answer.headers].toSorted());
  return { code, message, status: answer.status, text: `${raw}\n${shown}` };
}

/** With the library's client: gRPC or gRPC-Web, depending on the transport. */
export async function callAsRpc(
  transport: Transport,
  method: Parameters<typeof createClient>[0]["methods"][number],
  call: { body: Body; headers: Readonly<Record<string, string>> },
): Promise<Pick<CallAnswer, "code" | "message">> {
  // Methods are known only at run time.
  const client = createClient(method.parent, transport) as Client<never> as Record<string, Invoke>;
  const input = fromJson(method.input, call.body);
  try {
    const answer = client[method.localName]!(input, { headers: call.headers });
    if (method.methodKind === "unary") await answer;
    // One message is enough.
    else await (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
    return { code: "ok", message: "" };
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error, Code.Internal);
    return { code: codeToString(code), message: rawMessage };
  }
}

type Invoke = (input: unknown, options: object) => Promise<unknown> | AsyncIterable<unknown>;
