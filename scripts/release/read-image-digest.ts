import { dirname } from "node:path";
import { UserError } from "../../src/server/user-error.ts";
import type { Subject } from "./provenance.ts";
import { runProgram } from "./run-program.ts";

export interface NamedImage {
  name: string;
  /** An OCI archive, as `buildx build --output type=oci` writes it. */
  file: string;
}

/** The digest by which registries know the image. @throws UserError when the file is not an OCI archive with one image */
export async function readImageDigest({ name, file }: NamedImage): Promise<Subject> {
  const args = ["--extract", "--to-stdout", `--file=${file}`, "index.json"];
  const text = await runProgram("tar", args, { cwd: dirname(file) });
  const digests = digestsOf(text);
  const [sha256] = digests;
  if (digests.length !== 1 || sha256 === undefined)
    throw new UserError(`${file} names ${digests.length} images; a release names each by a file of its own.`);
  return { name, sha256 };
}

function digestsOf(text: string): string[] {
  try {
    const { manifests = [] } = JSON.parse(text) as { manifests?: { digest?: string }[] };
    return manifests.flatMap(({ digest }) => /^sha256:([0-9a-f]{64})$/.exec(digest ?? "")?.[1] ?? []);
  } catch {
    return [];
  }
}
