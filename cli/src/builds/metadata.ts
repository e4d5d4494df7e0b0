/** buildx' metadata file, with the build's id. */
import { readFile, writeFile } from "node:fs/promises";
import { CliError, errorCode } from "../errors.ts";
import { isFields } from "../registry/docker-config.ts";

export type Metadata = { [name: string]: unknown };

/** @returns {} if buildx wrote no file */
export async function readMetadata(path: string): Promise<Metadata> {
  const text = await readFile(path, "utf8").catch(() => "{}");
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

export async function writeMetadata(path: string, metadata: Metadata): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(metadata, null, 2)}\n`);
  } catch (error) {
    throw new CliError(`${path} cannot be written (${errorCode(error)})`, undefined, error);
  }
}

export function digestIn(metadata: Metadata): string | undefined {
  const digest = metadata["containerimage.digest"];
  return typeof digest === "string" ? digest : undefined;
}
