/** How a step itself differs from its match in an earlier build: instruction, variables, base image, files. */
import { compareFile, describeChange, isDirectory } from "./compare-files.ts";
import { MAX_CAUSES, MAX_PARTS } from "./limits.ts";
import { matchesPath } from "./match-path.ts";
import type { NamedStep } from "./match-steps.ts";
import type { BuildMaterial, Cause, FilesRead, SeenFile, StepRecipe } from "./types.ts";

export interface StepPair {
  later: BuildMaterial;
  earlier: BuildMaterial;
  step: NamedStep;
  match: NamedStep;
}

export function findDifferences(pair: StepPair): Cause[] {
  const { step, match } = pair;
  const recipes = recipesOf(pair);
  const causes = recipes ? compareRecipes(pair, ...recipes) : compareTexts(pair);
  return [...compareBases(step, match), ...compareSources(pair), ...causes, ...compareFiles(pair)];
}

const recipesOf = ({ later, earlier, step, match }: StepPair): [StepRecipe, StepRecipe] | null => {
  const [one, other] = [later.recipe?.steps[step.record.id], earlier.recipe?.steps[match.record.id]];
  return one && other ? [one, other] : null;
};

const DIGEST = /@(sha256:[0-9a-f]{64})/;

function compareBases(step: NamedStep, match: NamedStep): Cause[] {
  if (step.keyword !== "FROM" || step.rest === match.rest) return [];
  const [after, before] = [step.rest, match.rest].map((rest) => DIGEST.exec(rest)?.[1]);
  const isSameName = step.text === match.text && after && before;
  const name = step.rest.replace(DIGEST, "");
  return [
    {
      kind: "base",
      name,
      before: (isSameName && before) || match.rest,
      after: (isSameName && after) || step.rest,
    },
  ];
}

/** For Git and HTTP: the address is the same, its content has changed. */
function compareSources({ later, earlier, step }: StepPair): Cause[] {
  if (step.keyword !== "" || !later.recipe || !earlier.recipe) return [];
  const before = earlier.recipe.sources;
  return Object.entries(later.recipe.sources).flatMap(([name, after]): Cause[] => {
    const known = before[name];
    const isOurs = name !== "" && step.rest.includes(name);
    return isOurs && known !== undefined && known !== after
      ? [{ kind: "base", name, before: known, after }]
      : [];
  });
}

/** Without recipes, an instruction is its name, which includes the values of arguments. */
function compareTexts({ later, earlier, step, match }: StepPair): Cause[] {
  if (step.text === match.text || step.keyword === "" || step.keyword === "FROM") return [];
  const causes = compareValues(earlier, later).filter(
    ({ before, after }) =>
      before !== "" && after !== "" && match.text.replaceAll(before, after) === step.text,
  );
  return causes.length > 0 ? causes : [textChange(match, step)];
}

const textChange = (match: NamedStep, step: NamedStep): Cause => ({
  kind: "instruction",
  name: step.text,
  before: match.text,
  after: step.text,
});

/** Command-line arguments that differ. */
export function compareValues(earlier: BuildMaterial, later: BuildMaterial): Cause[] {
  const names = new Set([...Object.keys(earlier.arguments), ...Object.keys(later.arguments)]);
  return [...names].slice(0, MAX_PARTS).flatMap((name): Cause[] => {
    const [before, after] = [earlier.arguments[name], later.arguments[name]];
    if (before?.fingerprint === after?.fingerprint) return [];
    return [{ kind: "argument", name, before: before?.shown ?? "", after: after?.shown ?? "" }];
  });
}

function compareRecipes(pair: StepPair, after: StepRecipe, before: StepRecipe): Cause[] {
  const { step, match } = pair;
  // A step that runs no command is fully described by its name.
  if (after.command.length === 0 && before.command.length === 0) return compareTexts(pair);
  const causes: Cause[] = [];
  if (after.command.join("\0") !== before.command.join("\0")) causes.push(textChange(match, step));
  causes.push(...compareVariables(pair, after, before), ...compareSecrets(after, before));
  if (after.folder !== before.folder)
    causes.push({ kind: "instruction", name: "WORKDIR", before: before.folder, after: after.folder });
  if (after.user !== before.user)
    causes.push({ kind: "instruction", name: "USER", before: before.user, after: after.user });
  return causes;
}

/** Values from the command line are arguments; other variables come from the file, by `ENV` or the default of an `ARG`. */
function compareVariables({ later, earlier }: StepPair, after: StepRecipe, before: StepRecipe): Cause[] {
  const names = new Set([...Object.keys(before.variables), ...Object.keys(after.variables)]);
  return [...names].slice(0, MAX_PARTS).flatMap((name): Cause[] => {
    const [was, is] = [before.variables[name], after.variables[name]];
    if (was?.fingerprint === is?.fingerprint) return [];
    const isGiven = Object.hasOwn(later.arguments, name) || Object.hasOwn(earlier.arguments, name);
    const [shownBefore, shownAfter] = [was?.shown ?? "", is?.shown ?? ""];
    if (isGiven) return [{ kind: "argument", name, before: shownBefore, after: shownAfter }];
    return [{ kind: "instruction", name, before: shownBefore, after: shownAfter }];
  });
}

function compareSecrets(after: StepRecipe, before: StepRecipe): Cause[] {
  const added = after.secrets.filter((name) => !before.secrets.includes(name));
  const removed = before.secrets.filter((name) => !after.secrets.includes(name));
  return [
    ...added.map((name): Cause => ({ kind: "secret", name, before: "", after: name })),
    ...removed.map((name): Cause => ({ kind: "secret", name, before: name, after: "" })),
  ];
}

/** What a step reads from the client's folders: from its recipe, or else from the text of a `COPY` or an `ADD`. */
function readsOf(build: BuildMaterial, step: NamedStep): readonly FilesRead[] {
  const recipe = build.recipe?.steps[step.record.id];
  if (recipe) return recipe.reads;
  if (step.keyword !== "COPY" && step.keyword !== "ADD") return [];
  const words = step.rest.split(" ").slice(0, MAX_PARTS);
  const flags = words.filter((word) => word.startsWith("--"));
  if (flags.some((flag) => flag.startsWith("--from="))) return [];
  const paths = words.filter((word) => !word.startsWith("--")).slice(0, -1);
  return paths.length > 0 ? [{ context: "context", paths }] : [];
}

/** A folder may be named like a property that every object has. */
const folderOf = ({ files }: BuildMaterial, context: string) =>
  files && Object.hasOwn(files, context) ? files[context] : undefined;

/** Differing paths of one folder that a step reads, before and now. */
function* readPaths({ later, earlier, step }: StepPair): Generator<FilePair> {
  for (const { context, paths } of readsOf(later, step)) {
    const [now, then] = [folderOf(later, context), folderOf(earlier, context)];
    if (!now || !then) continue;
    const isWhole = now.isWhole && then.isWhole;
    for (const path of new Set([...now.files.keys(), ...then.files.keys()])) {
      const [after, before] = [now.files.get(path), then.files.get(path)];
      // A file that is missing from an incomplete list may exist.
      if (!isWhole && (!after || !before)) continue;
      if (before && after && compareFile(before, after) === "same") continue;
      if (paths.some((pattern) => matchesPath(pattern, path))) yield { path, before, after };
    }
  }
}

interface FilePair {
  path: string;
  before: SeenFile | undefined;
  after: SeenFile | undefined;
}

const isUnknown = ({ before, after }: FilePair) =>
  before !== undefined && after !== undefined && compareFile(before, after) === "unknown";

/** Folders come last: files say more. */
function compareFiles(pair: StepPair): Cause[] {
  const [causes, folders]: [Cause[], Cause[]] = [[], []];
  for (const found of readPaths(pair)) {
    if (isUnknown(found)) continue;
    const [before, after] = describeChange(found.before, found.after);
    const file = found.after ?? found.before;
    const list = file && isDirectory(file) ? folders : causes;
    if (list.length <= MAX_CAUSES) list.push({ kind: "file", name: found.path, before, after });
    if (causes.length > MAX_CAUSES) break;
  }
  return [...causes, ...folders];
}

/** The first thing that a step reads whose changes cannot be known; null when everything is known. */
export function findUnseen(pair: StepPair): string | null {
  const { later, earlier, step } = pair;
  const reads = readsOf(later, step);
  const unseen = reads.find(
    ({ context }) => !folderOf(later, context)?.isWhole || !folderOf(earlier, context)?.isWhole,
  );
  if (unseen) return unseen.paths.map((path) => path || ".").join(" ");
  for (const found of readPaths(pair)) if (isUnknown(found)) return found.path;
  return null;
}
