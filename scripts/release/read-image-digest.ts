import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { UserError } from "#platform/environment/user-error.ts";
import type { Subject } from "./provenance.ts";
import { runProgram } from "./run-program.ts";

export interface NamedImage {
  name: string;
  /** An OCI archive, as written by `buildx build --output type=oci`. */
  file: string;
}

/**
 * The digest that registries use for the image: of its manifest, or of its index for several platforms.
 * @throws UserError when the file is not an OCI archive with one image, or its manifest does not match
 */
export async function readImageDigest({ name, file }: NamedImage): Promise<Subject> {
  const digests = digestsOf(await readEntry(file, "index.json"));
  const [sha256] = digests;
  if (digests.length !== 1 || sha256 === undefined)
    throw new UserError(`${file} names ${digests.length} images; a release needs a file for each image.`);
  const manifest = await readEntry(file, `blobs/sha256/${sha256}`);
  if (createHash("sha256").update(manifest).digest("hex") !== sha256)
    throw new UserError(`${file} is damaged: its manifest does not have the digest that its index names.`);
  return { name, sha256 };
}

const readEntry = (file: string, entry: string): Promise<string> =>
  runProgram("tar", ["--extract", "--to-stdout", `--file=${file}`, entry], { cwd: dirname(file) });

function digestsOf(text: string): string[] {
  try {
    const { manifests = [] } = JSON.parse(text) as { manifests?: { digest?: string }[] };
    return manifests.flatMap(({ digest }) => /^sha256:([0-9a-f]{64})$/.exec(digest ?? "")?.[1] ?? []);
  } catch {
    return [];
  }
}
