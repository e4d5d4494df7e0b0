import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { UserError } from "#platform/environment/user-error.ts";

interface PackOptions {
  file: string;
  /** In seconds since 1970; the modification time of every file. */
  time: number;
}

/**
 * A folder as `.tar.gz`, by its own name: the same files give the same bytes, whatever the user, the time and the order on disk.
 * @throws UserError without GNU tar
 */
export async function packFolder(folder: string, { file, time }: PackOptions): Promise<void> {
  const args = ["--create", "--file=-", "--format=gnu", "--sort=name", `--mtime=@${time}`];
  const plain = ["--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
  const tar = spawn("tar", [...args, ...plain, `--directory=${dirname(folder)}`, basename(folder)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(tar, "close");
  let said = "";
  tar.stderr.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-500)));
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file));
  const [code] = await ended;
  if (code !== 0) throw new UserError(`GNU tar could not pack ${folder}: ${said.trim()}`);
}
