/**
 * The calls that a client may make to a builder: those that buildx, Bake and buildctl need for a build, and only about that build.
 * Everything else is refused: other projects' caches (DiskUsage, Prune), records (ListenBuildHistory without a Ref,
 * UpdateBuildHistory), and calls that later versions add.
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
import type { ProxyBuild } from "./proxy-build.ts";

export interface Call {
  live: ProxyBuild;
  claims: Claims;
  /** All values of a header. */
  header: (name: string) => readonly string[];
  /** The whole request; it is forwarded unchanged. */
  read: (maxBytes: number) => Promise<Buffer>;
}

/** How a call continues. */
export interface Passage {
  /** Not forwarded: the answer is empty. */
  isAnswered?: boolean;
  /** Limit for the unread rest of a request; absent: no limit. */
  maxBytes?: number;
  /** The call is the build itself, and gets the reason for its end. */
  isSolve?: boolean;
  onSent?: () => void;
  onReceived?: (bytes: number) => void;
  /** Called when the data received ends the build. */
  onRefused?: (reason: string) => void;
  onAnswer?: (message: Uint8Array) => void;
  /** Reads in both directions. */
  watch?: SessionWatch;
}

export type Guard = (call: Call) => Promise<Passage>;

const CONTROL = "/moby.buildkit.v1.Control/";
const CONTENT = "/containerd.services.content.v1.Content/";
const BRIDGE = "/moby.buildkit.v1.frontend.LLBBridge/";
const SESSION_ID = "x-docker-expose-session-uuid";
/** The methods of the client that its builder may call. */
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

/** The ref of a refused request, if it can be read: encoders write it first. */
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

/** buildx uses it to read the provenance of a finished build, and requests an invented ref to check whether there is a history. */
const history: Guard = async ({ claims, read }) => {
  const { ref, earlyExit } = decodeChecked(BuildHistoryRequestSchema, await read(MAX_QUESTION_BYTES));
  if (claims.hasRef(ref)) return { onAnswer: (message) => allowRecord(message, claims) };
  if (ref !== "" && earlyExit) return { isAnswered: true };
  throw new GrpcError(Code.PermissionDenied, "a build cannot see other builds: use millrace builds");
};

/** Lets the client read what the record names. The record comes from buildkitd, and clients cannot influence it. */
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

/** @param judge checks the message; throws GrpcError */
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
