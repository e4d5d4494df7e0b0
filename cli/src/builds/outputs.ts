/** buildx' flags for an image's outputs: `--save` adds one to the user's own. */
import { usageError } from "../errors.ts";
import { isOn, type Token, valuesOf } from "./split-arguments.ts";

const TAG = /^\w[\w.-]{0,127}$/;

const MAX_TAG_LENGTH = 128;

/**
 * The tags of `--save-tag`. CI jobs pass a branch's name, so characters that a tag cannot have become dashes: `feature/login` is
 * saved as `feature-login`.
 * @throws CliError with exit code 2 when no tag is left, or for the name of a build
 */
export function readSaveTags(texts: readonly string[]): readonly string[] {
  const tags = texts.map((text) => {
    const tag = text
      .replaceAll(/[^\w.-]+/g, "-")
      .replace(/^[.-]+/, "")
      .slice(0, MAX_TAG_LENGTH);
    if (!TAG.test(tag) || tag.startsWith("bld_"))
      throw usageError(
        `--save-tag ${text} is not a tag: use letters, digits, _, . and -, and not bld_…, which is for build ids`,
      );
    return tag;
  });
  return [...new Set(tags)];
}

/**
 * buildx gives the names of `--tag` to every output. The user's names therefore move from `--tag` to their own outputs:
 *
 *   -t web --load   →   --output type=docker,name=web --output type=registry,name=build.acme.example/acme/web:bld_…
 */
export function withSaveOutput(tokens: readonly Token[], names: readonly string[]): string[] {
  const tags = valuesOf(tokens, "--tag");
  const given = valuesOf(tokens, "--output");
  const isImage = (output: string) => /^(?:image|registry)$/.test(typeOf(output));
  let isPushed = isOn(tokens, "--push");
  let isLoaded = isOn(tokens, "--load");
  const outputs = given.map((output) => {
    let named = withNames(output, tags);
    if (isPushed && isImage(output)) {
      isPushed = false;
      if (typeOf(output) === "image") named += ",push=true";
    }
    if (isLoaded && typeOf(output) === "docker" && !/(?:^|,)dest=/.test(output)) isLoaded = false;
    return named;
  });
  if (isPushed) outputs.push(withNames("type=registry", tags));
  if (isLoaded) outputs.push(withNames("type=docker", tags));
  outputs.push(withNames("type=registry", names));
  const moved = ["--tag", "--output", "--push", "--load"];
  const kept = tokens.filter(({ flag }) => !moved.includes(flag)).flatMap(({ words }) => words);
  // Before the rest, which may contain a `--`.
  return [...outputs.flatMap((output) => ["--output", output]), ...kept];
}

const typeOf = (output: string): string => /(?:^|,)type=([a-z]+)/.exec(output)?.[1] ?? "";

function withNames(output: string, names: readonly string[]): string {
  const takesName = /^(?:image|registry|docker|oci)$/.test(typeOf(output));
  if (!takesName || names.length === 0 || /(?:^|,)"?name=/.test(output)) return output;
  return `${output},${quoteCsv(`name=${names.join(",")}`)}`;
}

/** `linux/arm/v7` is built on the `linux/arm64` builder, and everything else on the `linux/amd64` builder. */
export function builderPlatforms(platforms: readonly string[], chosen: string | undefined): string[] {
  if (chosen !== undefined) return [chosen];
  const wanted = platforms
    .flatMap((each) => each.split(","))
    .map((each) => each.trim())
    .filter((each) => each !== "");
  if (wanted.length === 0) return [ownPlatform()];
  return [
    ...new Set(
      wanted.map((each) => (/^(?:linux\/)?(?:arm|aarch)/.test(each) ? "linux/arm64" : "linux/amd64")),
    ),
  ];
}

/** This machine's platform: buildx would use the builder's. */
export const ownPlatform = (): string => (process.arch === "arm64" ? "linux/arm64" : "linux/amd64");

const quoteCsv = (field: string): string =>
  /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
