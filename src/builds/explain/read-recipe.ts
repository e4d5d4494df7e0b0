/**
 * Reads the steps from BuildKit's own provenance (SLSA 1, mode `max`, kept with its history for each successful build).
 * `digestMapping` has the steps' digests, which are the ids of the records; `llbDefinition` says what each step does.
 */
import { z } from "zod";
import { MAX_PARTS, MAX_PROVENANCE_BYTES, MAX_STEPS, MAX_TEXT } from "./limits.ts";
import type { FilesRead, Recipe, StepRecipe, Value } from "./types.ts";

const texts = z.array(z.string()).catch([]);
const mount = z.object({
  input: z.number().default(0),
  selector: z.string().default(""),
  secretOpt: z.object({ ID: z.string() }).optional().catch(undefined),
  SSHOpt: z.object({ ID: z.string() }).optional().catch(undefined),
});
const action = z.object({
  secondaryInput: z.number().default(-1),
  Action: z.object({
    copy: z.object({ src: z.string().default("") }).optional(),
  }),
});
const operation = z.object({
  source: z
    .object({ identifier: z.string(), attrs: z.record(z.string(), z.string()).catch({}) })
    .optional()
    .catch(undefined),
  exec: z
    .object({
      meta: z.object({ args: texts, env: texts, cwd: z.string().catch(""), user: z.string().catch("") }),
      mounts: z.array(mount).catch([]),
    })
    .optional()
    .catch(undefined),
  file: z
    .object({ actions: z.array(action).catch([]) })
    .optional()
    .catch(undefined),
});
const step = z.object({ id: z.string(), inputs: texts, op: z.object({ Op: operation }) });
const place = z.object({ ranges: z.array(z.object({ start: z.object({ line: z.number() }) })) });
const provenance = z.object({
  buildDefinition: z.object({
    internalParameters: z.object({
      buildConfig: z.object({
        digestMapping: z.record(z.string(), z.string()),
        llbDefinition: z.array(step),
      }),
    }),
    resolvedDependencies: z
      .array(z.object({ uri: z.string(), digest: z.record(z.string(), z.string()) }))
      .catch([]),
  }),
  runDetails: z
    .object({
      metadata: z.object({
        buildkit_metadata: z.object({
          source: z.object({
            locations: z.record(z.string(), z.object({ locations: z.array(place).catch([]) })),
          }),
        }),
      }),
    })
    .optional()
    .catch(undefined),
});
type Operation = z.infer<typeof step>;

/**
 * @param bytes the predicate, from its blob
 * @param toValue makes values of variables safe to store
 * @returns null if it is not provenance in BuildKit's form, or is too large
 */
export function readRecipe(bytes: Uint8Array, toValue: (name: string, text: string) => Value): Recipe | null {
  if (bytes.byteLength > MAX_PROVENANCE_BYTES) return null;
  const parsed = provenance.safeParse(parseJson(bytes));
  if (!parsed.success) return null;
  const { buildDefinition, runDetails } = parsed.data;
  const { digestMapping, llbDefinition } = buildDefinition.internalParameters.buildConfig;
  const locations = runDetails?.metadata.buildkit_metadata.source.locations ?? {};
  const byName = new Map(llbDefinition.slice(0, MAX_STEPS).map((one) => [one.id, one]));
  const known = new Set<string>();
  const steps = Object.entries(digestMapping).flatMap(([digest, name]): [string, StepRecipe][] => {
    const found = byName.get(name);
    // A step has one digest. With many, it would be copied as many times.
    if ((!found?.op.Op.exec && !found?.op.Op.file) || known.has(name)) return [];
    known.add(name);
    const line = locations[name]?.locations[0]?.ranges[0]?.start.line ?? 0;
    return [[digest, { ...recipeOf(found, byName, toValue), line }]];
  });
  const sources = buildDefinition.resolvedDependencies.slice(0, MAX_PARTS).flatMap(({ uri, digest }) => {
    const [first] = Object.values(digest);
    return first === undefined ? [] : [[uri, first] as const];
  });
  return { steps: Object.fromEntries(steps), sources: Object.fromEntries(sources) };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function recipeOf(
  found: Operation,
  byName: ReadonlyMap<string, Operation>,
  toValue: (name: string, text: string) => Value,
): Omit<StepRecipe, "line"> {
  const { exec } = found.op.Op;
  const mounts = exec?.mounts.slice(0, MAX_PARTS) ?? [];
  return {
    command: exec?.meta.args ?? [],
    variables: readVariables(exec?.meta.env ?? [], toValue),
    folder: exec?.meta.cwd ?? "",
    user: exec?.meta.user ?? "",
    secrets: mounts.flatMap(({ secretOpt, SSHOpt }) => secretOpt?.ID ?? SSHOpt?.ID ?? []),
    reads: findReads(found, byName),
  };
}

function readVariables(texts: readonly string[], toValue: (name: string, text: string) => Value) {
  const pairs = texts.slice(0, MAX_PARTS).map((text) => {
    const end = text.indexOf("=");
    const name = end < 0 ? text : text.slice(0, end);
    return [name, toValue(name, end < 0 ? "" : text.slice(end + 1))] as const;
  });
  return Object.fromEntries(pairs);
}

const LOCAL = "local://";

/** Inputs of the step that are client folders, with the paths that it reads from them. */
function findReads(found: Operation, byName: ReadonlyMap<string, Operation>): FilesRead[] {
  const reads = new Map<string, Set<string>>();
  const add = (input: number, path: string) => {
    const source = byName.get((found.inputs[input] ?? "").split(":")[0] ?? "")?.op.Op.source;
    if (!source?.identifier.startsWith(LOCAL)) return;
    // Each step that reads the context repeats it.
    const context = source.identifier.slice(LOCAL.length, LOCAL.length + MAX_TEXT);
    const paths = reads.get(context) ?? new Set();
    if (paths.size < MAX_PARTS) paths.add(path.replace(/^\/+/, ""));
    reads.set(context, paths);
  };
  for (const { secondaryInput, Action } of found.op.Op.file?.actions ?? []) {
    if (Action.copy) add(secondaryInput, Action.copy.src);
  }
  for (const { input, selector } of found.op.Op.exec?.mounts ?? []) add(input, selector);
  return [...reads].map(([context, paths]) => ({ context, paths: [...paths] }));
}
