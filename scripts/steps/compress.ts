import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const compressible = /\.(html|data|md|txt|js|css|json|svg|xml|webmanifest)$/;

/**
 * Writes `.br` (quality 11) and `.gz` (level 9) next to every text file of a folder.
 * @param isFinal whether a file is sent unchanged; other files are skipped
 */
export async function compressFolder(
  folder: string,
  isFinal: (bytes: Buffer) => boolean = () => true,
): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && compressible.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  // The thread pool does the work; a low concurrency saves memory.
  const queue = files.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const file of queue) await compressFile(file, isFinal);
    }),
  );
}

async function compressFile(file: string, isFinal: (bytes: Buffer) => boolean): Promise<void> {
  const bytes = await readFile(file);
  if (!isFinal(bytes)) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const [br, gz] = await Promise.all([brotli(bytes, { params }), zip(bytes, { level: 9 })]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}
