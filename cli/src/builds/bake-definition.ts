/** A Bake file, resolved by buildx, and the definition of each target that is built on its own. */
import { isForDocker } from "../docker/find-engine.ts";
import { CliError, endWith } from "../errors.ts";
import { isFields } from "../registry/docker-config.ts";
import { type BuildxRun, runBuildx } from "./run-buildx.ts";
import { plainOf, type Token } from "./split-arguments.ts";

type Fields = { [name: string]: unknown };

export interface Definition {
  /** As printed: `{ group, target }`. */
  targets: { [name: string]: Fields };
  /** The targets that the user named; the others are there because these build on them. */
  asked: string[];
}

/** Flags whose effect is in the resolved definition. */
const RESOLVED = [
  "--file",
  "--set",
  "--var",
  "--push",
  "--load",
  "--metadata-file",
  "--print",
  "--list",
  "--provenance",
  "--sbom",
  "--no-cache",
  "--pull",
];

/** @throws CliError after buildx has printed an error */
export async function resolveDefinition(
  run: Omit<BuildxRun, "args">,
  tokens: readonly Token[],
): Promise<Definition> {
  const lines: string[] = [];
  const kept = tokens.filter(
    ({ flag }) =>
      flag !== "--metadata-file" && flag !== "--progress" && flag !== "--call" && flag !== "--check",
  );
  const { code, output } = await runBuildx({
    ...run,
    args: ["bake", "--print", "--progress=quiet", ...kept.flatMap(({ words }) => words)],
    output: "read",
    onLine: (line) => lines.push(line),
  });
  if (code !== 0) {
    process.stderr.write(`${lines.join("\n")}\n`);
    throw endWith(1);
  }
  return readDefinition(output);
}

function readDefinition(output: string): Definition {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch (cause) {
    throw new CliError(
      "buildx did not print a definition: update buildx, or check docker buildx bake --print",
      undefined,
      cause,
    );
  }
  const { target, group } = isFields(value) ? value : {};
  const targets: { [name: string]: Fields } = {};
  for (const [name, fields] of Object.entries(isFields(target) ? target : {}))
    if (isFields(fields)) targets[name] = fields;
  const groups = isFields(group) ? group : {};
  const expand = (name: string, seen: readonly string[]): string[] => {
    const members = isFields(groups[name]) ? groups[name]["targets"] : undefined;
    if (targets[name] && (!Array.isArray(members) || seen.includes(name))) return [name];
    if (!Array.isArray(members) || seen.includes(name)) return [];
    return members.flatMap((member) => (typeof member === "string" ? expand(member, [...seen, name]) : []));
  };
  const asked = [...new Set(expand("default", []))];
  return { targets, asked: asked.length > 0 ? asked : Object.keys(targets) };
}

/** buildx' flags in addition to the resolved file, which already has the targets and any remote definition. */
export function flagsForTarget(tokens: readonly Token[]): string[] {
  return tokens.filter(({ flag }) => flag !== "" && !RESOLVED.includes(flag)).flatMap(({ words }) => words);
}

/** The target and everything that it builds on; only the target keeps its outputs. */
export function definitionFor(
  { targets }: Definition,
  name: string,
  { save, platform }: { save: readonly string[]; platform: string },
): { target: { [name: string]: Fields } } {
  const needed: { [name: string]: Fields } = {};
  const add = (each: string): void => {
    const fields = targets[each];
    if (!fields || needed[each]) return;
    needed[each] = each === name ? withSave(fields, save) : { ...fields, output: [{ type: "cacheonly" }] };
    if (!Array.isArray(fields["platforms"])) needed[each]["platforms"] = [platform];
    const { contexts } = fields;
    for (const context of Object.values(isFields(contexts) ? contexts : {}))
      if (typeof context === "string" && context.startsWith("target:")) add(context.slice("target:".length));
  };
  add(name);
  return { target: needed };
}

/** buildx gives a target's tags to all its outputs: here they become names of the existing outputs. */
function withSave(fields: Fields, names: readonly string[]): Fields {
  if (names.length === 0) return { ...fields };
  const { tags, output, ...others } = fields;
  const own = Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
  const outputs = Array.isArray(output) ? output.filter(isFields) : [];
  const isNamed = ({ type, name }: Fields) =>
    name === undefined && /^(?:image|registry|docker|oci)$/.test(String(type));
  const kept = outputs
    .filter(({ type }) => type !== "cacheonly")
    .map((each) => (own.length > 0 && isNamed(each) ? { ...each, name: own.join(",") } : each));
  return { ...others, output: [...kept, { type: "registry", name: names.join(",") }] };
}

export const platformsOf = ({ targets }: Definition, name: string): string[] => {
  const platforms = targets[name]?.["platforms"];
  return Array.isArray(platforms) ? platforms.filter((each) => typeof each === "string") : [];
};

/** Whether one of the targets goes into Docker. */
export const loadsImages = ({ targets, asked }: Definition): boolean =>
  asked.some((name) => {
    const outputs = targets[name]?.["output"];
    return (Array.isArray(outputs) ? outputs.filter(isFields) : []).some(({ type, dest }) =>
      isForDocker(String(type), typeof dest === "string" ? dest : undefined),
    );
  });

/** `bake https://github.com/acme/shop.git`: its files are on another machine. */
export const isRemoteDefinition = (tokens: readonly Token[]): boolean =>
  /^(?:https?:|git:|ssh:|git@|github\.com\/)/.test(plainOf(tokens)[0] ?? "");
