import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UserError } from "#platform/environment/user-error.ts";

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

interface ProgramOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** @returns its output. @throws UserError with the end of its output when it fails or is not installed. */
export async function runProgram(program: string, args: string[], options: ProgramOptions): Promise<string> {
  try {
    const { stdout } = await run(program, args, {
      ...options,
      encoding: "utf8",
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout;
  } catch (error) {
    const { stderr = "", code } = error as { stderr?: string; code?: unknown };
    const said = code === "ENOENT" ? "it is not installed" : stderr.trim().split("\n").slice(-5).join("\n");
    throw new UserError(`${[program, ...args].join(" ").slice(0, 200)} failed: ${said || String(error)}`);
  }
}
