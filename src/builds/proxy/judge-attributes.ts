/**
 * Checks a client's frontend attributes, and the caches and outputs of a build. A builder works for one project and has no
 * credentials: anything that would use its own, or those of its machine, is refused here.
 */
import { Code } from "@connectrpc/connect";
import { z } from "zod";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import type { Output, SolveRules } from "./solve-rules.ts";

type Attributes = Readonly<Record<string, string>>;

/** Exporters of a builder; clients handle other values of `--output` themselves, such as `cacheonly`. */
const EXPORTERS = new Set(["image", "oci", "docker", "local", "tar"]);
const FALSE = new Set(["0", "f", "F", "false", "FALSE", "False"]);
/** Types of caches, and their required attributes: BuildKit would take missing ones from its environment and its machine. */
const CACHES: ReadonlyMap<string, readonly string[]> = new Map([
  ["registry", ["ref"]],
  ["inline", []],
  // In the client's own folder, through its session.
  ["local", []],
  ["gha", ["token"]],
  ["s3", ["bucket", "region", "access_key_id", "secret_access_key"]],
  ["azblob", ["account_url", "account_name", "secret_access_key"]],
]);
/** As the Go client writes it; Go also accepts other spellings of these names. */
const CacheImports = z.array(
  z.strictObject({ Type: z.string().default(""), Attrs: z.record(z.string(), z.string()).default({}) }),
);

const deny = (message: string) => new GrpcError(Code.PermissionDenied, message);

/** @throws GrpcError */
export function judgeExporter({ type, attributes }: Output, { mayPush }: SolveRules): void {
  if (!EXPORTERS.has(type))
    throw deny(`exporter ${quote(type)} is not supported; builders support ${[...EXPORTERS].join(", ")}`);
  for (const name of ["push", "push-by-digest"]) {
    const value = attributes[name];
    if (value !== undefined && !FALSE.has(value) && !mayPush) throw denyPush();
  }
}

/** @throws GrpcError */
export function judgeCacheExport(cache: Output, { mayPush }: SolveRules): void {
  judgeCache(cache);
  if (cache.type === "registry" && !mayPush) throw denyPush();
}

/** @throws GrpcError */
export function judgeCache({ type, attributes }: Output): void {
  const needed = CACHES.get(type);
  if (!needed)
    throw deny(`cache ${quote(type)} is not supported; builders support ${[...CACHES.keys()].join(", ")}`);
  const missing = needed.filter((name) => !attributes[name]);
  if (missing.length > 0)
    throw deny(
      `cache ${type} needs ${missing.join(", ")}: a builder has no credentials and no configuration of its own`,
    );
}

const denyPush = () => deny("this token may build, but not push: use one that may write images");

/** @throws GrpcError with buildkitd's own message */
export function judgeEntitlement(entitlement: string, { entitlements }: SolveRules): void {
  const [name = ""] = entitlement.split("=", 1);
  if (!entitlements.has(name))
    throw deny(`granting entitlement ${name} is not allowed by build daemon configuration`);
}

/**
 * @param ownsSession whether a session belongs to this build: another session has another client's files
 * @throws GrpcError
 */
export function judgeAttributes(attributes: Attributes, ownsSession: (id: string) => boolean): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "cgroup-parent" && value !== "")
      throw deny("builders choose the cgroup of steps themselves: remove --cgroup-parent");
    if (name === "cache-imports") for (const cache of readCacheImports(value)) judgeCache(cache);
    if (name.startsWith("local-sessionid:") && !ownsSession(value)) throw denySession(name);
  }
}

export const denySession = (where: string) => deny(`${where} names a session of another build`);

function readCacheImports(json: string): Output[] {
  try {
    const imports = CacheImports.parse(JSON.parse(json));
    return imports.map(({ Type, Attrs }) => ({ type: Type, attributes: Attrs }));
  } catch (cause) {
    throw new GrpcError(Code.InvalidArgument, "cache-imports is not a list of Type and Attrs", { cause });
  }
}

/** Untrusted text is not quoted verbatim. */
const quote = (value: string) => JSON.stringify(value.slice(0, 100));
