/**
 * The key that encrypts the columns in `sealedRecords`, and signs short-lived data: sign-ins in progress, one-time sign-in links,
 * tokens of the registry. `MILLRACE_SECRET_KEY`, or a file.
 */
import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { statSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "#platform/files/durable.ts";
import { parseSecretKey } from "#accounts/index.ts";
import type { Environment } from "./environment.ts";
import { house } from "./house.ts";
import { UserError } from "#platform/environment/user-error.ts";

export const SECRET_KEY_FILE = "secret.key";
/** 32 bytes as Base64, and a line end. */
const MAX_FILE_BYTES = 100;

type KeyPlace = Pick<Environment, "DATA_DIR" | "MILLRACE_SECRET_KEY">;

/**
 * Creates the file at the first start; only for the process that owns `DATA_DIR`.
 * @throws UserError when the file is damaged
 */
export async function openSecretKey(env: KeyPlace): Promise<Uint8Array> {
  const found = await readSecretKey(env);
  if (found) return found;
  const key = randomBytes(32);
  await writeDurably(fileOf(env), `${key.toString("base64")}\n`);
  return key;
}

/** @returns null when no start has created it yet. @throws UserError when the file is damaged or readable by others */
export async function readSecretKey(env: KeyPlace): Promise<Uint8Array | null> {
  if (env.MILLRACE_SECRET_KEY) return env.MILLRACE_SECRET_KEY;
  refuseOpenSecretKey(env);
  return readSecretKeyFile(env);
}

/** Ignores the variable. @returns null when there is no file. @throws UserError when it is damaged */
export async function readSecretKeyFile(env: KeyPlace): Promise<Uint8Array | null> {
  const file = fileOf(env);
  const found = await stat(file).catch(ifGone);
  if (!found) return null;
  const key = found.size <= MAX_FILE_BYTES ? parseSecretKey(await readFile(file, "utf8")) : undefined;
  if (key) return key;
  throw new UserError(
    `${file} is damaged: it is not 32 bytes as Base64. Restore it from a backup. If there is no backup, remove the file, and run npm start -- forget-sealed, which says what is lost with it.`,
  );
}

/** Called before `DATA_DIR` is locked, which silently makes its files private. */
export function refuseOpenSecretKey(env: KeyPlace): void {
  if (process.platform === "win32" || env.MILLRACE_SECRET_KEY) return;
  const file = fileOf(env);
  const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if ((mode & 0o077) === 0) return;
  throw new UserError(
    `${file} can be read by other users of this machine (mode ${mode.toString(8)}). If no one has read it, run: chmod 600 ${file}. Otherwise, what it protects may be known: ${house.sealed.map(({ what }) => what).join(", ")}. Remove the file, and run npm start -- forget-sealed, which says what must be set up again. Also change the passwords where they come from.`,
  );
}

const fileOf = ({ DATA_DIR }: KeyPlace) => join(DATA_DIR, SECRET_KEY_FILE);

function ifGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
