/**
 * What a client may ask of a builder: what buildx, Bake and buildctl need for a build, and of what concerns builds only what
 * concerns its own. Everything else is refused: caches of others (DiskUsage, Prune), records (ListenBuildHistory without a
 * Ref, UpdateBuildHistory), and what later versions add.
 */
import { Code } from "@connectrpc/connect";
import { InfoRequestSchema, ReadContentRequestSchema } from "#builds/gen/buildkit/content_pb.ts";
import {
  BuildHistoryEventSchema,
  type BuildHistoryRecord,
  BuildHistoryRequestSchema,
  StatusRequestSchema,
} from "#builds/gen/buildkit/control_pb.ts";
import {
  ResolveImageConfigRequestSchema,
  ResolveSourceMetaRequestSchema,
} from "#builds/gen/buildkit/gateway_pb.ts";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { decodeKnownFields } from "#platform/grpc/count-fields.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { GET_SECRET, type SessionWatch, watchSession } from "../context/watch-session.ts";
import { decodeChecked, decodeKnown } from "./check-message.ts";
import type { Claims } from "./claims.ts";
import { denySession } from "./judge-attributes.ts";
import { judgeSource } from "./judge-definition.ts";
import { judgeGatewaySolve, judgeSolve } from "./judge-solve.ts";
import { MAX_CALL_BYTES, MAX_QUESTION_BYTES, MAX_SOLVE_BYTES } from "./limits.ts";
import type { LiveBuild } from "./live-build.ts";

export interface Call {
  live: LiveBuild;
  claims: Claims;
  /** All values of a header. */
  header: (name: string) => readonly string[];
  /** The request, read to its end; it goes on as it came. */
  read: (maxBytes: number) => Promise<Buffer>;
}

/** How a call goes on. */
export interface Passage {
  /** It is not asked: the answer is empty. */
  isAnswered?: boolean;
  /** Of the rest of a request that was not read; without: any number. */
  maxBytes?: number;
  /** The call is the build itself, which is told why it ends. */
  isSolve?: boolean;
  onSent?: () => void;
  onReceived?: (bytes: number) => void;
  /** What was received ends the build. */
  onRefused?: (reason: string) => void;
  onAnswer?: (message: Uint8Array) => void;
  /** Reads along in both directions. */
  watch?: SessionWatch;
}

export type Guard = (call: Call) => Promise<Passage>;

const CONTROL = "/moby.buildkit.v1.Control/";
const CONTENT = "/containerd.services.content.v1.Content/";
const BRIDGE = "/moby.buildkit.v1.frontend.LLBBridge/";
const SESSION_ID = "x-docker-expose-session-uuid";
/** What of a client its builder may ask. */
const SESSION_METHOD = "x-docker-expose-session-grpc-method";
const BUILD_ID = "buildkit-controlapi-buildid";

const MAX_REF_LENGTH = 64;

const letThrough: Guard = async () => ({ maxBytes: MAX_CALL_BYTES });

const solve: Guard = async ({ live, claims, read }) => {
  const message = await read(MAX_SOLVE_BYTES);
  try {
    const summary = judgeSolve(message, live.rules, claims.session);
    if (!claims.takeRef(summary.ref))
      throw new GrpcError(
        Code.AlreadyExists,
        `Ref ${summary.ref} is taken, or the build has too many refs: choose another`,
      );
    await askOwner(() => live.onSolve(summary));
    return { isSolve: true, onSent: () => claims.startRef(summary.ref) };
  } catch (cause) {
    const ref = readRef(message);
    if (ref !== null && cause instanceof GrpcError) claims.refuseRef(ref, cause);
    throw cause;
  }
};

/** @throws GrpcError */
async function askOwner(ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "the build was refused";
    throw new GrpcError(Code.FailedPrecondition, message, { cause });
  }
}

/** Of a request that was refused, as far as it can be read: encoders write it first. */
function readRef(bytes: Uint8Array): string | null {
  try {
    const reader = new BinaryReader(bytes);
    const [field, type] = reader.tag();
    return field === 1 && type === WireType.LengthDelimited ? reader.string().slice(0, MAX_REF_LENGTH) : null;
  } catch {
    return null;
  }
}

const noBuild = () => new GrpcError(Code.NotFound, "this build has nothing with that name");

const status: Guard = async ({ claims, read }) => {
  const { ref } = decodeChecked(StatusRequestSchema, await read(MAX_QUESTION_BYTES));
  if (!(await claims.ownsRef(ref))) throw noBuild();
  return {};
};

/** buildx reads the provenance of a finished build by it, and asks for an invented one to see whether there is a history. */
const history: Guard = async ({ claims, read }) => {
  const { ref, earlyExit } = decodeChecked(BuildHistoryRequestSchema, await read(MAX_QUESTION_BYTES));
  if (claims.hasRef(ref)) return { onAnswer: (message) => allowRecord(message, claims) };
  if (ref !== "" && earlyExit) return { isAnswered: true };
  throw new GrpcError(Code.PermissionDenied, "a build cannot see other builds: use millrace builds");
};

/** What the record names may be read. It comes from buildkitd, which a client cannot make say anything else. */
function allowRecord(message: Uint8Array, claims: Claims): void {
  const { record } = decodeKnownFields(BuildHistoryEventSchema, message);
  for (const digest of record ? digestsOf(record) : []) claims.allowDigest(digest);
}

function digestsOf({ logs, trace, externalError, result, results }: BuildHistoryRecord): string[] {
  const all = [result, ...Object.values(results)].filter((each) => each !== undefined);
  const parts = all.flatMap((each) => [
    each.resultDeprecated,
    ...each.attestations,
    ...Object.values(each.results),
  ]);
  return [logs, trace, externalError, ...parts].flatMap((each) => each?.digest ?? []);
}

const content =
  (schema: typeof InfoRequestSchema | typeof ReadContentRequestSchema): Guard =>
  async ({ claims, read }) => {
    const { digest } = decodeChecked(schema, await read(MAX_QUESTION_BYTES));
    if (!claims.mayRead(digest)) throw noBuild();
    return {};
  };

const session: Guard = async ({ live, claims, header }) => {
  const [id = "", ...more] = header(SESSION_ID);
  if (id === "" || more.length > 0)
    throw new GrpcError(Code.InvalidArgument, `${SESSION_ID} must be one name`);
  if (!claims.session(id)) throw denySession(SESSION_ID);
  const { seen, onReceived, onRefused, onSecret, onUnread } = live;
  const hasSecrets = header(SESSION_METHOD).includes(GET_SECRET);
  const watch = watchSession({ seen, onSecret, onUnread: () => hasSecrets && onUnread() });
  return { onReceived, onRefused, watch };
};

/** @param judge what is asked; throws GrpcError */
const bridge =
  (judge?: (message: Buffer, call: Call) => void | Promise<void>): Guard =>
  async (call) => {
    const { claims, header, read } = call;
    const [ref = "", ...more] = header(BUILD_ID);
    if (more.length > 0 || !(await claims.ownsRef(ref))) throw noBuild();
    if (!judge) return { maxBytes: MAX_CALL_BYTES };
    await judge(await read(MAX_SOLVE_BYTES), call);
    return {};
  };

const bridgeStream: Guard = async (call) => {
  await bridge()(call);
  return {};
};

const judgeFrontend = async (message: Buffer, { live, claims }: Call) => {
  const { frontend, frontendOpt } = judgeGatewaySolve(message, claims.session);
  if (frontend !== "") await askOwner(() => live.onFrontend(frontend, frontendOpt));
};

const judgeImage = (message: Buffer, { claims: { session: owns } }: Call) => {
  const { sessionId } = decodeKnown(ResolveImageConfigRequestSchema, message);
  if (sessionId !== "" && !owns(sessionId)) throw denySession("SessionID");
};

const judgeMeta = (message: Buffer, { claims: { session: owns } }: Call) =>
  judgeSource(decodeKnown(ResolveSourceMetaRequestSchema, message).source?.attrs ?? {}, owns);

const BRIDGE_CALLS = [
  ["ReadFile", "ReadDir", "StatFile", "Evaluate", "Ping", "Return", "Inputs", "Warn"],
  ["NewContainer", "ReleaseContainer", "ReadFileContainer", "ReadDirContainer", "StatFileContainer"],
].flat();

/** By path. */
export const CALLS: ReadonlyMap<string, Guard> = new Map<string, Guard>([
  [`${CONTROL}Solve`, solve],
  [`${CONTROL}Status`, status],
  [`${CONTROL}Session`, session],
  [`${CONTROL}ListWorkers`, letThrough],
  [`${CONTROL}Info`, letThrough],
  [`${CONTROL}ListenBuildHistory`, history],
  [`${CONTENT}Info`, content(InfoRequestSchema)],
  [`${CONTENT}Read`, content(ReadContentRequestSchema)],
  [`${BRIDGE}Solve`, bridge(judgeFrontend)],
  [`${BRIDGE}ResolveImageConfig`, bridge(judgeImage)],
  [`${BRIDGE}ResolveSourceMeta`, bridge(judgeMeta)],
  [`${BRIDGE}ExecProcess`, bridgeStream],
  ...BRIDGE_CALLS.map((name): [string, Guard] => [BRIDGE + name, bridge()]),
  ["/grpc.health.v1.Health/Check", letThrough],
  ["/opentelemetry.proto.collector.trace.v1.TraceService/Export", letThrough],
]);
