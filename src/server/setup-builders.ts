/** `npm start -- setup-builders [--yes] [--from <folder>] [--source]`: prepares this machine for builders. */
import { stat } from "node:fs/promises";
import { arch } from "node:process";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { nameOfUser, setUpBuilders, SetupError, GO_ARCHITECTURES } from "#builds/index.ts";
import { parseEnvironment } from "./environment.ts";
import { readEnvironment } from "./listening.ts";
import { buildkitdSources } from "./open-builders.ts";
import { buildxFile } from "./setup-command.ts";
import { UserError } from "./user-error.ts";

const USAGE =
  "setup-builders takes --yes (asks nothing), --from <folder> (takes buildkitd and buildx from there) and --source (builds them).";

/** @throws UserError that says what, where and what to do */
export async function runSetupBuilders(args: readonly string[]): Promise<void> {
  const { yes = false, from, source = false } = readFlags(args);
  const env = readEnvironment(parseEnvironment);
  if (env.MILLRACE_BUILDERS === "kubernetes")
    throw new UserError(
      "MILLRACE_BUILDERS=kubernetes: builders are pods of the cluster, and this machine needs nothing for them.",
    );
  const dataFolder = resolve(env.DATA_DIR);
  const folder = join(dataFolder, "builders");
  const owner = await findOwner(dataFolder);
  try {
    await setUpBuilders({
      sources: buildkitdSources(env, folder),
      buildx: buildxFile(folder),
      from: from && resolve(from),
      isFromSource: source,
      arch: GO_ARCHITECTURES[arch],
      owner,
      dataFolder,
      user: { id: owner.id, name: await nameOfUser(owner.id) },
      say: console.log,
      ask: () => (yes ? Promise.resolve(true) : ask()),
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
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}. ${USAGE}`);
  }
}

/** The server's user has its data folder; before the first start it is whoever runs this. */
async function findOwner(dataFolder: string): Promise<{ id: number; groupId: number }> {
  const found = await stat(dataFolder).catch(() => null);
  const [id, groupId] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  if (!found) return { id, groupId };
  if (id !== 0 && found.uid !== id)
    throw new UserError(`${dataFolder} belongs to another user: run the command as that user, or as root.`);
  return { id: found.uid, groupId: found.gid };
}

async function ask(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UserError(
      "Nothing was changed, because nobody can be asked here: run setup-builders with --yes to do this.",
    );
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await asking.question("Go on? [y/N] ").finally(() => asking.close());
  return /^y(es)?$/i.test(answer.trim());
}
