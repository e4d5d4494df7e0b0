import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "#platform/files/durable.ts";

export const CONSOLE_TOKEN_FILE = "console-token";
const TOKEN_BYTES = 32;
/** The same minimum as for CONSOLE_TOKEN; a shorter file was cut off. */
const MIN_TOKEN_LENGTH = 16;

/**
 * The token of a server without CONSOLE_TOKEN: made at the first start, readable by its user only (0600), and kept from then on.
 * @throws the system's error when the folder cannot be read or written
 */
export async function readConsoleToken(dataDir: string): Promise<string> {
  const path = join(dataDir, CONSOLE_TOKEN_FILE);
  const kept = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (kept.trim().length >= MIN_TOKEN_LENGTH) return kept.trim();
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await writeDurably(path, `${token}\n`);
  return token;
}
