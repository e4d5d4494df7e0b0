import type { Environment } from "../environment.ts";
import { type DataFolder, FolderInUseError, openDataFolder } from "#platform/locks/data-folder.ts";
import { isDiskFull } from "#platform/database/disk-full.ts";
import { UserError } from "#platform/environment/user-error.ts";

export function readEnvironment(parse: (env: NodeJS.ProcessEnv) => Environment): Environment {
  try {
    return parse(process.env);
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}

export function describeListenError(error: unknown, host: string, port: number): string {
  const code = (error as NodeJS.ErrnoException).code;
  const where = `${host}:${port}`;
  if (code === "EADDRINUSE")
    return `Port ${port} on ${host} is in use: stop the program that uses it, or choose another with PORT=${port + 1}.`;
  if (code === "EACCES")
    return `This user is not allowed to listen on ${where}: choose a port above 1023 with PORT=3000.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${host} is not an address of this machine: set HOST=localhost, or HOST=0.0.0.0 for every address.`;
  return `Cannot listen on ${where} (${code ?? error}): set PORT and HOST to a free address.`;
}

/** Locks `DATA_DIR` for this process. @throws UserError that names its holder, or says why it cannot be written */
export function takeDataFolder(env: Environment): DataFolder {
  try {
    return openDataFolder(env.DATA_DIR, env.SITE_ORIGIN);
  } catch (error) {
    if (error instanceof FolderInUseError) throw new UserError(error.message);
    const reason = error instanceof Error ? error.message : String(error);
    if (isDiskFull(error))
      throw new UserError(
        `The disk of DATA_DIR ${env.DATA_DIR} is full: free some space, or set DATA_DIR to a folder on another disk.`,
      );
    throw new UserError(
      `DATA_DIR ${env.DATA_DIR} cannot be used (${reason}): set it to a folder that this user can write.`,
    );
  }
}
