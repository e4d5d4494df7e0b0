/** `millrace.json`: `{ "project": "prj_…" }`, in the directory or the nearest one above it. */
import { randomBytes } from "node:crypto";
import { readFile, rename, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CliError, errorCode, usageError } from "./errors.ts";

const FILE = "millrace.json";
const PROJECT_ID = /^prj_[0-9a-z]{1,40}$/;

/** @returns undefined if no directory has the file */
export async function findProject(folder: string): Promise<string | undefined> {
  const project = (await readProjectFile(folder))?.["project"];
  if (project !== undefined) {
    if (typeof project === "string" && PROJECT_ID.test(project)) return project;
    throw usageError(
      `${join(folder, FILE)} does not name a project: it needs "project": "prj_…", which millrace init writes`,
    );
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : findProject(parent);
}

/** The content of the directory's own file; undefined if there is no file. */
export async function readProjectFile(folder: string): Promise<{ [key: string]: unknown } | undefined> {
  const path = join(folder, FILE);
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code !== "") throw new CliError(`${path} cannot be read (${code})`, undefined, error);
  }
  throw usageError(`${path} is not a JSON object: repair it, or remove it and run millrace init`);
}

/** Keeps the file's other fields. */
export async function writeProjectFile(folder: string, project: string): Promise<void> {
  const path = join(folder, FILE);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(draft, `${JSON.stringify({ ...(await readProjectFile(folder)), project }, null, 2)}\n`, {
      flag: "wx",
    });
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    if (error instanceof CliError) throw error;
    throw new CliError(`${path} cannot be written (${errorCode(error)})`, undefined, error);
  }
}
