import { frameMessage } from "#platform/grpc/split-messages.ts";
import type { Attack, Stage } from "../attack.ts";
import { callGrpc } from "../grpc-client.ts";
import { makeRepository, OCI_IMAGE, putManifest, toRegistry } from "../registry-client.ts";
import { type Answer, inParallel, json, send } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";
import { asOwner } from "../sign-in.ts";

const AT_ONCE = 12;
/** Bytes that a client has sent before it can be cut off. */
const MAX_SENT_AT_ONCE = 64 * 1024;
const NO_ANSWER = -1;
const WHO_AM_I = "millrace.v1.AccountService/WhoAmI";
const LOGS = "millrace.v1.BuildService/StreamLogs";
const FIND = "build.bazel.remote.execution.v2.ContentAddressableStorage/FindMissingBlobs";
const HEALTH = "grpc.health.v1.Health/Check";

const repeat = (count: number, ...bytes: number[]) => Buffer.alloc(count * bytes.length, Buffer.from(bytes));
const names = (count: number) =>
  Buffer.from(`{${Array.from({ length: count }, (_, at) => `"n${at}":1`).join(",")}}`);

/** 3.9 MB of numbers in a field that no message has; then fewer, in no more bytes than the method takes. */
const unknown = repeat(1_300_000, 0xf8, 0x3f, 1);
const someUnknown = repeat(1_300, 0xf8, 0x3f, 1);
const manyNames = names(300_000);
const someNames = names(300);
/** `digest_function` is a number that claims to be a text of 3 MB: the decoder reads the text as digests. */
const hidden = Buffer.concat([Buffer.from([0x1a, 0xc0, 0x8d, 0xb7, 0x01]), repeat(1_500_000, 0x12, 0)]);

/** Codes with which an endpoint refuses a message: gRPC's, also by their names. */
const [TOO_LARGE, INVALID] = [8, 3];
const CODES: Record<string, number> = { resource_exhausted: TOO_LARGE, invalid_argument: INVALID };

interface Message {
  name: string;
  bytes: Buffer;
  /** How it is refused. */
  code: number;
}
const large: Message = { name: "3.9 MB of unknown fields", bytes: unknown, code: TOO_LARGE };
const largeJson: Message = { name: "300,000 unknown names", bytes: manyNames, code: TOO_LARGE };
const rich: Message = { name: "1,300 unknown fields", bytes: someUnknown, code: INVALID };
const richJson: Message = { name: "300 unknown names", bytes: someNames, code: INVALID };

type Send = (server: RunningServer, bytes: Buffer, from: string) => Promise<number | null>;
type Endpoint = [name: string, send: Send, messages: Message[]];

export const richMessages: Attack = {
  item: 26,
  name: "messages with more in them than anybody sends",
  bound:
    "A message of any encoding that has more bytes, fields or values than its method takes is refused before it is decoded; twelve at once take no more memory than the bound of one.",
  async run(stage) {
    const server = await stage.server();
    const authorization = `Bearer ${await readOnlyToken(server)}`;
    for (const [name, send, messages] of endpoints(authorization))
      for (const message of messages) await attempt(stage, server, { name, send, message });
    await largestRequest(stage, server);
    await manifests(stage, server);
  },
};

/** The token of a client that reads an organization's cache. */
async function readOnlyToken(server: RunningServer): Promise<string> {
  const body = { name: "reader", type: "org", read_only: true };
  const sent = json("/api/millrace.v1.TokenService/Create", body, { headers: asOwner });
  const { body: answered } = await send(server.port, sent);
  return (JSON.parse(answered.toString()) as { secret: string }).secret;
}

function endpoints(authorization: string): Endpoint[] {
  const http =
    (path: string, type: string, isFramed = true): Send =>
    async ({ port }, bytes, from) =>
      readCode(
        await send(port, {
          method: "POST",
          path,
          headers: { authorization, "content-type": type },
          body: isFramed ? frameMessage(bytes) : bytes,
          from,
        }),
      );
  const grpc =
    (method: string): Send =>
    ({ port }, message, from) =>
      callGrpc(port, { path: `/${method}`, message, authorization, from });
  const binary = [large, rich];
  const text = [largeJson, richJson];
  return [
    ["Connect, bytes", http(`/api/${WHO_AM_I}`, "application/proto", false), binary],
    ["Connect, JSON", http(`/api/${WHO_AM_I}`, "application/json", false), text],
    ["Connect's stream, bytes", http(`/api/${LOGS}`, "application/connect+proto"), binary],
    ["Connect's stream, JSON", http(`/api/${LOGS}`, "application/connect+json"), text],
    ["gRPC-Web", http(`/${WHO_AM_I}`, "application/grpc-web+proto"), binary],
    ["gRPC-Web, JSON", http(`/${WHO_AM_I}`, "application/grpc-web+json"), text],
    ["gRPC", grpc(WHO_AM_I), binary],
    ["gRPC's stream", grpc(LOGS), binary],
    ["the health service", grpc(HEALTH), binary],
    // It takes messages of 4 MB, and its fields are counted.
    [
      "the cache's gRPC",
      grpc(FIND),
      [
        { ...large, code: INVALID },
        { name: "digests behind a number", bytes: hidden, code: INVALID },
      ],
    ],
  ];
}

/** The code of a refusal: in JSON, in the last frame of a stream, in trailers; null when the connection was cut. */
function readCode({ body, headers, failure }: Answer): number | null {
  if (failure?.startsWith("no answer")) return NO_ANSWER;
  const text = body.toString("latin1");
  const [, name = ""] = /"code":\s*"(\w+)"/.exec(text) ?? [];
  const [, status] = /grpc-status: ?(\d+)/.exec(text) ?? [];
  const code = CODES[name] ?? status ?? headers["grpc-status"];
  return code === undefined ? null : Number(code);
}

async function attempt(
  stage: Stage,
  server: RunningServer,
  { name, send: sendTo, message }: { name: string; send: Send; message: Message },
): Promise<void> {
  for (const count of [1, AT_ONCE]) {
    const title = `${name}: ${message.name}${count > 1 ? `, ${count} at once` : ""}`;
    const { result, figure, cpuMs } = await stage.measure(server, title, () =>
      inParallel(count, count, (at) => sendTo(server, message.bytes, stage.address(at))),
    );
    // A client that is still sending when the connection is cut may not see the answer.
    const mayBeCut = message.bytes.length > MAX_SENT_AT_ONCE;
    for (const code of result)
      stage.check(
        code === message.code || (code === null && mayBeCut),
        `${title}: refused with ${code}, not ${message.code}`,
      );
    const outcome = `${result.length} × code ${result[0]}, ${Math.round(cpuMs)} ms of CPU time`;
    stage.report(title, outcome, { sentBytes: message.bytes.length, ...figure });
  }
}

/** The largest request that the rooms allow is answered, and is not much work either. */
async function largestRequest(stage: Stage, server: RunningServer): Promise<void> {
  const call = (method: string, body: object) =>
    json(`/api/millrace.v1.${method}`, body, { headers: asOwner });
  const made = await send(server.port, call("ProjectService/Create", { name: "large" }));
  const { project } = JSON.parse(made.body.toString()) as { project: { id: string } };
  const claims = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`claim-${at}`, "x".repeat(500)]));
  const trust = {
    issuer: "https://token.actions.githubusercontent.com",
    claims: { ...claims, repository: "acme/web" },
  };
  const body = { project_id: project.id, trust_relationships: Array.from({ length: 50 }, () => trust) };
  const { status } = await stage.strike(
    server,
    "50 trust relationships of 20 claims",
    call("ProjectService/Update", body),
  );
  stage.check(status === 200, `the largest request was answered ${status}`);
}

/** JSON of 4 MB that a registry has to take. */
async function manifests(stage: Stage, server: RunningServer): Promise<void> {
  const repository = await makeRepository(server, "rich");
  const lists = Buffer.concat([Buffer.from("["), repeat(1_300_000, 0x7b, 0x7d, 0x2c), Buffer.from("{}]")]);
  for (const [name, manifest] of [
    ["a manifest of 260,000 names", names(260_000)],
    ["a manifest of 1.3 million objects", lists],
  ] as const) {
    const sent = toRegistry(putManifest(repository, "rich", manifest, OCI_IMAGE));
    const { status } = await stage.strike(server, name, sent);
    stage.check(status === 400, `${name}: ${status}`);
  }
}
