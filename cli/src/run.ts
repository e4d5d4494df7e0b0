/** Runs one command line: finds the command, loads its code, and turns its errors into a message and an exit code. */
import { parseCommandLine } from "./arguments.ts";
import { CliError, errorCode, EXIT_FAILED } from "./errors.ts";
import { type Facts, readBundledFacts } from "./facts.ts";
import type { CommandFunction, Invocation } from "./session.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { cleanLines } from "./text.ts";
import { ownVersion, readBuild, readVersion } from "./version.ts";

/** Commands of this version; the others need parts of the service that do not exist yet. */
const COMMANDS: { [name: string]: () => Promise<CommandFunction> } = {
  login: async () => (await import("./commands/login.ts")).login,
  logout: async () => (await import("./commands/logout.ts")).logout,
  whoami: async () => (await import("./commands/whoami.ts")).whoAmI,
  "orgs list": async () => (await import("./commands/orgs.ts")).listOrganizations,
  "orgs switch": async () => (await import("./commands/orgs.ts")).switchOrganization,
  "orgs show": async () => (await import("./commands/orgs.ts")).showOrganization,
  "tokens create": async () => (await import("./commands/tokens.ts")).createToken,
  "tokens list": async () => (await import("./commands/tokens.ts")).listTokens,
  "tokens revoke": async () => (await import("./commands/tokens.ts")).revokeToken,
  init: async () => (await import("./commands/init.ts")).init,
  "projects create": async () => (await import("./commands/projects.ts")).createProject,
  "projects list": async () => (await import("./commands/projects.ts")).listProjects,
  "projects get": async () => (await import("./commands/projects.ts")).showProject,
  "projects update": async () => (await import("./commands/projects.ts")).updateProject,
  "projects delete": async () => (await import("./commands/projects.ts")).deleteProject,
  "cache usage": async () => (await import("./commands/cache.ts")).showCacheUsage,
  "cache reset": async () => (await import("./commands/cache.ts")).resetCache,
  gocache: async () => (await import("./commands/gocache.ts")).serveGoCache,
  build: async () => (await import("./commands/build.ts")).build,
  bake: async () => (await import("./commands/bake.ts")).bake,
  "builds list": async () => (await import("./commands/builds.ts")).listBuilds,
  "builds show": async () => (await import("./commands/build-details.ts")).showBuild,
  "builds logs": async () => (await import("./commands/builds.ts")).printLog,
  "builds cancel": async () => (await import("./commands/builds.ts")).cancelBuild,
  "images list": async () => (await import("./commands/images.ts")).listImages,
  "images delete": async () => (await import("./commands/images.ts")).deleteImages,
  "mirrors list": async () => (await import("./commands/mirrors.ts")).listMirrors,
  "mirrors login": async () => (await import("./commands/mirrors.ts")).logInToMirror,
  "mirrors logout": async () => (await import("./commands/mirrors.ts")).logOutOfMirror,
  push: async () => (await import("./commands/push.ts")).push,
  pull: async () => (await import("./commands/pull.ts")).pull,
  "configure-docker": async () => (await import("./commands/configure-docker.ts")).configureDocker,
  docs: async () => (await import("./commands/docs.ts")).openDocs,
  "docs search": async () => (await import("./commands/docs-search.ts")).searchDocs,
  upgrade: async () => (await import("./commands/upgrade.ts")).upgrade,
  completion: async () => (await import("./commands/completion.ts")).printCompletion,
};

export async function run(args: readonly string[]): Promise<void> {
  // `millrace projects list | head` closes the pipe early, which is not an error.
  process.stdout.on("error", (error) => process.exit(errorCode(error) === "EPIPE" ? 0 : EXIT_FAILED));
  const terminal = openTerminal(process, process.env);
  const facts = readBundledFacts();
  const hidden = HIDDEN[args[0] ?? ""];
  const code = hidden
    ? await hidden(args.slice(1), facts, terminal)
    : await runCommand(args, facts, terminal);
  // Open resources, such as a persistent connection, must not keep the process alive.
  process.stdout.write("", () => process.exit(code));
}

async function runCommand(args: readonly string[], facts: Facts, terminal: Terminal): Promise<number> {
  let call: Invocation | undefined;
  try {
    const parsed = parseCommandLine(args, facts);
    if (parsed.kind === "version") terminal.out(`millrace ${readVersion()}\n`);
    else if (parsed.kind === "help") {
      const { formatHelp } = await import("./help.ts");
      terminal.out(formatHelp(parsed.name, facts, { width: terminal.width ?? 80, heading: terminal.bold }));
    } else {
      call = { ...parsed, facts, terminal, env: process.env, folder: process.cwd() };
      await (
        await findFunction(call)
      )(call);
    }
    return 0;
  } catch (error) {
    return await report(error, call, terminal);
  } finally {
    if (call?.session && isOther(call.session.offered)) {
      const { tellVersion } = await import("./tell-version.ts");
      await tellVersion(call, call.session);
    }
  }
}

/** Whether the server hands out another CLI than this one. A CLI that was built by hand is not compared. */
const isOther = (offered: string | undefined): boolean =>
  offered !== undefined && readBuild() !== "" && offered !== ownVersion();

async function findFunction({ command, facts }: Invocation): Promise<CommandFunction> {
  const load = COMMANDS[command.name];
  if (load) return load();
  throw new CliError(
    `this server has no ${facts.parts[command.part] ?? command.part} yet: millrace ${readVersion()} comes without them`,
  );
}

async function report(error: unknown, call: Invocation | undefined, terminal: Terminal): Promise<number> {
  let known = error instanceof CliError ? error : undefined;
  if (!known && error instanceof Error && error.name === "ConnectError") {
    const { refusalOf } = await import("./api-errors.ts");
    known = await refusalOf(error, call?.session);
  }
  if (known) {
    if (known.message !== "") terminal.err(`millrace: ${cleanLines(known.message)}\n`);
    return known.exitCode;
  }
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.err(`${cleanLines(words)}\n`);
  terminal.err(`millrace: this is a bug in millrace ${readVersion()}: please report the lines above\n`);
  return EXIT_FAILED;
}

/** Commands for scripts that this program has written. */
const HIDDEN: {
  [name: string]: (args: readonly string[], facts: Facts, terminal: Terminal) => Promise<number>;
} = {
  __complete: complete,
  async "__docker-buildx"(args, facts, terminal) {
    const { buildForDocker } = await import("./docker/buildx-plugin.ts");
    return buildForDocker(args, { facts, terminal, env: process.env, folder: process.cwd() });
  },
  async "__docker-credential"([action = ""], facts, terminal) {
    const { answerDocker } = await import("./docker/credential-helper.ts");
    const flags = { text: () => undefined, texts: () => [], isSet: () => false };
    const call = { flags, positionals: [], facts, terminal, env: process.env, folder: process.cwd() };
    return answerDocker(call, action);
  },
};

/** `__complete <shell> -- <words>`, called by the completion scripts. It prints lines, or nothing. */
async function complete(args: readonly string[], facts: Facts, terminal: Terminal): Promise<number> {
  const [shell = "", , ...words] = args;
  try {
    const { printCandidates } = await import("./commands/completion.ts");
    await printCandidates(shell, words, { facts, terminal, env: process.env, folder: process.cwd() });
  } catch {
    // An error in the middle of typing helps no one.
  }
  return 0;
}
