/**
 * Finds the task of an entry of Turborepo or Gradle. Its key says nothing, and no request names it; the stored bytes do:
 *
 *   turbo/<hash>    tar, zstd   packages/ui/.turbo/turbo-build.log      the task `build` of `packages/ui`
 *   gradle/<hash>   tar, gzip   METADATA: identity=\:app\:compileJava   first in it
 */
import { constants, createGunzip, createZstdDecompress } from "node:zlib";
import { through } from "#platform/blobs/through.ts";
import { COMMIT_LENGTH, MAX_METADATA_BYTES, MAX_TASK_BYTES, MAX_TASK_WINDOW_LOG } from "./limits.ts";
import { readTar } from "./read-tar.ts";

export interface Task {
  /** `packages/ui`, `:app:compileJava` */
  target: string;
  /** `build`, `JavaCompile` */
  mnemonic: string;
  /** Other facts about the build that wrote it, by kind: `commit` → `6572b0356f58`. */
  facts: ReadonlyMap<string, string>;
}

export interface Stored {
  meta: string;
  bytes: AsyncIterable<Uint8Array>;
}

const LOG = /^(?:(.{1,200})\/)?\.turbo\/turbo-([^/]{1,100})\.log$/;
const ROOT = "//";
const PROPERTY = /^(\w{1,40})=(.*)$/gm;

export const hasTask = (key: string) => key.startsWith("turbo/") || key.startsWith("gradle/");

/** @returns null when the entry does not name it, or names it too late */
export async function readTask(key: string, stored: Stored): Promise<Task | null> {
  try {
    return await (key.startsWith("turbo/") ? readTurbo(stored) : readGradle(stored));
  } catch (error) {
    if (isUndecodable(error)) return null;
    throw error;
  }
}

async function readTurbo({ meta, bytes }: Stored): Promise<Task | null> {
  const decoder = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_TASK_WINDOW_LOG } });
  for await (const { name } of readTar(through(bytes, decoder), {
    maxBytes: MAX_TASK_BYTES,
    startBytes: 0,
  })) {
    const [, target = ROOT, task] = LOG.exec(name) ?? [];
    if (task === undefined) continue;
    return { target, mnemonic: task.replaceAll("$colon$", ":"), facts: factsOf(meta) };
  }
  return null;
}

/** @param meta headers, as the protocol stores them */
function factsOf(meta: string): Map<string, string> {
  // Written by `tools/turbo/http.ts`.
  const headers = meta === "" ? {} : (JSON.parse(meta) as Partial<Record<string, string>>);
  return toFacts([
    ["commit", headers["x-artifact-sha"]?.slice(0, COMMIT_LENGTH)],
    ["uncommitted changes", headers["x-artifact-dirty-hash"]?.slice(0, COMMIT_LENGTH)],
  ]);
}

async function readGradle({ bytes }: Stored): Promise<Task | null> {
  const limits = { maxBytes: MAX_METADATA_BYTES, startBytes: MAX_METADATA_BYTES };
  for await (const { name, start } of readTar(through(bytes, createGunzip()), limits)) {
    if (name !== "METADATA") return null;
    const properties = readProperties(start.toString());
    // Gradle 4 calls it a path.
    const target = properties["identity"] ?? properties["path"];
    if (target === undefined) return null;
    const mnemonic = (properties["type"] ?? "").replace(/^.*\./, "").replace(/_Decorated$/, "");
    const facts = toFacts([
      ["Gradle", properties["gradleVersion"]],
      ["operating system", properties["operatingSystem"]],
    ]);
    return { target, mnemonic, facts };
  }
  return null;
}

const readProperties = (text: string): Partial<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(PROPERTY)].map(([, name, value = ""]) => [
      name,
      value.replaceAll(/\\(.)/g, "$1").trim(),
    ]),
  );

const toFacts = (facts: readonly (readonly [string, string | undefined])[]) =>
  new Map(facts.filter((fact): fact is readonly [string, string] => fact[1] !== undefined));

/** Errors of zlib. */
const isUndecodable = (error: unknown) =>
  error instanceof Error && "code" in error && /^Z(?:STD)?_/.test(String(error.code));
