/** For tests: every method of the API with a request that means something, in every protocol. */
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { Hono } from "hono";
import { createInvitation, createProject, createToken } from "#accounts/index.ts";
import { makePerson, type TestPerson } from "#accounts/test-accounts.ts";
import type { MethodFacts } from "#api/test-facts.ts";
import type { TestApi, TestSide } from "./test-callers.ts";

/** Field → id of an object that is there. */
export type Objects = Readonly<Record<string, string>>;
export type Body = Readonly<Record<string, JsonValue>>;

let count = 0;
const newName = () => `n-${(count += 1)}`;

/** Objects of their own for each call, so that one that is deleted is missed by no other. */
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
  return {
    organization: organizationId,
    project_id: project.id,
    token_id: token.id,
    invitation_id: invitation.id,
    user_id: userId,
    passkey_id: passkeyId,
    sign_in_id: signInId,
  };
}

/** Something that can be purged. */
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

/** Ids of the same form that nothing has. */
export const missingIds = (objects: Objects): Objects =>
  Object.fromEntries(Object.entries(objects).map(([field, id]) => [field, `${id.slice(0, -3)}zzz`]));

/** What other fields say. */
const SAMPLES: Readonly<Record<string, () => JsonValue>> = {
  name: newName,
  type: () => "org",
  role: () => "member",
  page_size: () => 1,
  tool: () => "bazel",
  from: () => "2026-11-01T00:00:00Z",
  oidc_token: () => "a.b.c",
  trust_relationship: () => ({ issuer: "https://ci.example", claims: { sub: "a" } }),
};
/** Of these the request names no object. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  "TokenService/Create": ["project_id"],
  "ProjectService/TestTrust": ["oidc_token"],
};

/** @throws Error for a required field of which nothing is known */
export function bodyOf({ name, fields, isMissing }: MethodFacts, objects: Objects): Body {
  if (isMissing) return {};
  const body: Record<string, JsonValue> = {};
  for (const { name: field, required } of fields) {
    const value = WITHOUT[name]?.includes(field) ? undefined : (objects[field] ?? SAMPLES[field]?.());
    if (value !== undefined) body[field] = value;
    else if (required) throw new Error(`${name} needs a sample of ${field}: add one to SAMPLES.`);
  }
  return body;
}

export interface CallAnswer {
  /** Of the API; "ok" when there is no error. */
  code: string;
  message: string;
  status: number;
  /** Body and headers, as they are. */
  text: string;
}

/** One frame of Connect's streams. */
function frame(text: string): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(text);
  const bytes = new Uint8Array(body.length + 5);
  new DataView(bytes.buffer).setUint32(1, body.length);
  bytes.set(body, 5);
  return bytes;
}

/** JSON over HTTP; with Connect's frames where the method is a stream. */
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
  const raw = await answer.text();
  // After the five bytes of the last frame.
  const json: unknown = JSON.parse(method.isStream ? raw.slice(5) : raw);
  // Both forms of an error.
  const { error = json } = json as { error?: unknown };
  const { code = "ok", message = "" } = error as { code?: string; message?: string };
  const shown = JSON.stringify([...answer.headers].toSorted());
  return { code, message, status: answer.status, text: `${raw}\n${shown}` };
}

/** With the library's client: gRPC or gRPC-Web, as the transport does. */
export async function callAsRpc(
  transport: Transport,
  method: Parameters<typeof createClient>[0]["methods"][number],
  call: { body: Body; headers: Readonly<Record<string, string>> },
): Promise<Pick<CallAnswer, "code" | "message">> {
  // Methods are known at run time only.
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
