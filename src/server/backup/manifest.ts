/** The description of a backup: `manifest.json` in its folder, written last. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { UserError } from "#platform/environment/user-error.ts";

export const MANIFEST_FILE = "manifest.json";
/** The folder with the copies, next to the manifest. */
export const DATA_FOLDER = "data";

/** About three million files, and shorter than the longest string of Node.js. */
const MAX_MANIFEST_BYTES = 400 * 1024 * 1024;

const manifestSchema = z.object({
  format: z.literal(1, "was written by another version of Millrace"),
  /** Millrace's version. */
  version: z.string(),
  /** When the copy began, ISO 8601. */
  createdAt: z.iso.datetime(),
  files: z.array(
    z.object({
      /** Relative to `DATA_DIR`, with `/`. */
      path: z.string().refine(isInside, "points outside the backup"),
      bytes: z.int().min(0),
      /** SHA-256, in hexadecimal. */
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestFile = Manifest["files"][number];

/** @throws UserError when the folder has no manifest, or an unusable one */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST_FILE);
  const { size } = await stat(file).catch(() => {
    throw new UserError(
      `${folder} is not a backup: it has no ${MANIFEST_FILE}. Name the folder that the backup was written to.`,
    );
  });
  if (size > MAX_MANIFEST_BYTES) throw damaged(file, `it has more than ${MAX_MANIFEST_BYTES} bytes`);
  const parsed = manifestSchema.safeParse(parseJson(await readFile(file, "utf8")));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damaged(file, issue ? `${issue.path.join(".")} ${issue.message}` : "it is not a backup's manifest");
}

function damaged(file: string, reason: string): UserError {
  return new UserError(`${file} cannot be used (${reason}): restore another backup.`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isInside(path: string): boolean {
  return path
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== ".." && !/[\\\0:]/.test(part));
}
