/**
 * The inputs of a build's steps, from the provenance that `buildkitd` keeps for each successful build. Stored compressed, without
 * values that look like secrets.
 */
import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { z } from "zod";
import { readBlob } from "../buildkit/client.ts";
import { MAX_PROVENANCE_BYTES } from "../explain/limits.ts";
import { readRecipe } from "../explain/read-recipe.ts";
import type { Recipe, Value } from "../explain/types.ts";
import { MAX_ARGUMENT_LENGTH } from "../contract/limits.ts";
import { MASKED, type Masker } from "../masking/masker.ts";
import { looksSecret } from "../masking/secret-arguments.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { Solved } from "./recorder.ts";

type Parts = Pick<BuildParts, "database" | "log">;

const PROVENANCE = "https://slsa.dev/provenance/";
const READ_MS = 5000;
/** For the provenance of all solves of one build, which is read and merged in memory. */
const MAX_BUILD_BYTES = 4 * MAX_PROVENANCE_BYTES;
/** Enough to distinguish two values, and too few to guess a secret: one in 65,536 words fits. */
const SECRET_DIGITS = 4;
const DIGITS = 16;

interface Kept {
  solved: readonly Solved[];
  /** The socket of a platform's builder. */
  socketOf: (platform: string) => string | undefined;
  masker: Masker;
}

/** If this fails, the build is explained by the names of its steps. */
export async function keepRecipes(
  { database, log }: Parts,
  buildId: string,
  { solved, socketOf, masker }: Kept,
): Promise<void> {
  const recipes = new Map<string, Recipe>();
  const room = { bytes: MAX_BUILD_BYTES };
  try {
    for (const one of solved) {
      const socket = socketOf(one.platform);
      if (!socket || room.bytes <= 0) continue;
      addRecipe(recipes, one.platform, await readSolved(socket, one, { masker, room }));
    }
    const rows = [...recipes].map(([platform, recipe]) => ({
      build_id: buildId,
      platform,
      data: packRecipe(recipe),
    }));
    if (rows.length > 0) await database.db.insertInto("build_recipes").values(rows).execute();
  } catch (error) {
    log.warn("Could not store what a build's steps are made of.", { build: buildId, error });
  }
}

/** A client that retries solves again on the same platform. */
function addRecipe(recipes: Map<string, Recipe>, platform: string, found: readonly Recipe[]): void {
  for (const { steps, sources } of found) {
    const known = recipes.get(platform);
    recipes.set(platform, {
      steps: { ...known?.steps, ...steps },
      sources: { ...known?.sources, ...sources },
    });
  }
}

async function readSolved(
  socket: string,
  { record }: Solved,
  { masker, room }: { masker: Masker; room: { bytes: number } },
): Promise<Recipe[]> {
  const results = [record?.result ?? [], Object.values(record?.results ?? {})].flat();
  const digests = results.flatMap(({ attestations }) =>
    attestations.flatMap(({ annotations, digest }) =>
      (annotations["in-toto.io/predicate-type"] ?? "").startsWith(PROVENANCE) ? digest : [],
    ),
  );
  const signal = AbortSignal.timeout(READ_MS);
  const recipes: Recipe[] = [];
  for (const digest of new Set(digests)) {
    const bytes = await readBlob(socket, { digest, maxBytes: MAX_PROVENANCE_BYTES, signal });
    room.bytes -= bytes?.length ?? MAX_PROVENANCE_BYTES;
    if (room.bytes <= 0) break;
    const recipe = bytes && readRecipe(bytes, (name, text) => hideValue(name, text, masker));
    if (recipe) recipes.push(hideCommands(recipe, masker));
  }
  return recipes;
}

/** @public For a variable or a build argument. */
export function hideValue(name: string, text: string, masker: Masker): Value {
  const masked = masker.mask(text);
  const isSecret = looksSecret(name, text) || masked !== text;
  const digest = createHash("sha256")
    .update(JSON.stringify([name, text]))
    .digest("hex");
  const shown = looksSecret(name, text) ? MASKED : masked.slice(0, MAX_ARGUMENT_LENGTH);
  return { fingerprint: digest.slice(0, isSecret ? SECRET_DIGITS : DIGITS), shown };
}

function hideCommands({ steps, sources }: Recipe, masker: Masker): Recipe {
  const hidden = Object.entries(steps).map(([id, step]) => {
    const command = step.command.map((word) => masker.mask(word));
    return [id, { ...step, command }] as const;
  });
  return { steps: Object.fromEntries(hidden), sources };
}

const value = z.object({ fingerprint: z.string(), shown: z.string() });
const kept: z.ZodType<Recipe> = z.object({
  steps: z.record(
    z.string(),
    z.object({
      command: z.array(z.string()),
      variables: z.record(z.string(), value),
      folder: z.string(),
      user: z.string(),
      secrets: z.array(z.string()),
      reads: z.array(z.object({ context: z.string(), paths: z.array(z.string()) })),
      line: z.number(),
    }),
  ),
  sources: z.record(z.string(), z.string()),
});

/**
 * Limit for the result of a provenance: it adds fingerprints to values, and a build may have many solves. Also the limit for
 * reading all platforms of a build, which blocks everything else.
 */
const MAX_RECIPE_BYTES = MAX_PROVENANCE_BYTES;

/** @public @throws Error for a recipe that would be too large to read */
export function packRecipe(recipe: Recipe): Uint8Array {
  const text = Buffer.from(JSON.stringify(recipe));
  if (text.length > MAX_RECIPE_BYTES) throw new Error(`it is too large (${text.length} bytes)`);
  return deflateRawSync(text, { level: 1 });
}

/** Merges the steps of all platforms; what exceeds the limit is left out. @returns null if none was stored */
export async function readKeptRecipe({ db }: Parts["database"], buildId: string): Promise<Recipe | null> {
  const recipes = new Map<string, Recipe>();
  let left = MAX_RECIPE_BYTES;
  const rows = await db
    .selectFrom("build_recipes")
    .select("data")
    .where("build_id", "=", buildId)
    .orderBy("platform")
    .execute();
  for (const { data } of rows) {
    const text = inflateRawSync(data, { maxOutputLength: MAX_RECIPE_BYTES });
    left -= text.length;
    if (left < 0) break;
    addRecipe(recipes, buildId, [kept.parse(JSON.parse(text.toString()))]);
  }
  return recipes.get(buildId) ?? null;
}
