/** `npm start -- setup-builders [--yes] [--from <folder>] [--source] [--programs]`: prepares this machine for builders. */
import { arch } from "node:process";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import {
  buildkitdSources,
  buildxFile,
  findUser,
  GO_ARCHITECTURES,
  setUpBuilders,
  SetupError,
} from "#builds/index.ts";
import { parseEnvironment } from "../environment.ts";
import { readEnvironment } from "../port/listening.ts";
import { findOwner, getAsUser } from "./setup-owner.ts";
import { UserError } from "#platform/environment/user-error.ts";

const USAGE =
  "setup-builders takes --yes (does not prompt), --from <folder> (takes buildkitd and buildx from there), --source (builds them) and --programs (installs only these two).";

/** @throws UserError that says what, where and what to do */
export async function runSetupBuilders(args: readonly string[]): Promise<void> {
  const { yes = false, from, source = false, programs = false } = readFlags(args);
  const env = readEnvironment(parseEnvironment);
  if (env.MILLRACE_BUILDERS === "kubernetes")
    throw new UserError(
      "MILLRACE_BUILDERS=kubernetes: builders are pods of the cluster, and this machine needs nothing for them.",
    );
  const dataFolder = resolve(env.DATA_DIR);
  const folder = join(dataFolder, "builders");
  const user = await findUser(await findOwner(dataFolder, folder));
  const isOther = user.id !== (process.getuid?.() ?? 0);
  const { docker, ...sources } = buildkitdSources(env, folder);
  const flags = [...(from === undefined ? [] : ["--from", resolve(from)]), ...(source ? ["--source"] : [])];
  try {
    await setUpBuilders({
      // Root's access to an engine is not that user's.
      sources: isOther ? sources : { ...sources, docker },
      buildx: buildxFile(folder),
      from: from && resolve(from),
      isFromSource: source,
      isProgramsOnly: programs,
      arch: GO_ARCHITECTURES[arch],
      dataFolder,
      user,
      getAsUser: isOther ? () => getAsUser(user, { dataFolder, folder, flags }) : null,
      say: console.log,
      ask: yes ? null : ask,
    });
  } catch (error) {
    if (error instanceof SetupError) throw new UserError(error.message);
    throw error;
  }
}

function readFlags(args: readonly string[]) {
  try {
    const options = {
      yes: { type: "boolean" },
      from: { type: "string" },
      source: { type: "boolean" },
      programs: { type: "boolean" },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}. ${USAGE}`);
  }
}

async function ask(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UserError(
      "Nothing was changed, because there is no terminal to confirm in: run setup-builders with --yes to make these changes without confirmation.",
    );
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await asking.question("Go on? [y/N] ").finally(() => asking.close());
  return /^y(es)?$/i.test(answer.trim());
}
