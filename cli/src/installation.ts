/**
 * How this CLI was installed, recognized by its path, and how to install a server's CLI in the same way.
 *
 *   ~/.millrace/cli/0.1.0-1a2b3c4d-4711/dist/…          install.sh, install.ps1: they leave a mark next to `dist`
 *   …/_npx/<hash>/node_modules/millrace/dist/…          npx
 *   <prefix>/lib/node_modules/millrace/dist/…           npm install -g
 *   <project>/node_modules/millrace/dist/…              npm install --save-dev
 */
import { access, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";

const MARK = "installed-by-script";
const IS_WINDOWS = process.platform === "win32";

export interface Installation {
  /** The command that installs a server's CLI; `version` is `0.1.0-1a2b3c4d`. */
  command: (origin: string, version: string) => string;
  /** The same without a shell; absent if the user has to decide. */
  upgrade?: { script: string; root: string } | { program: string; args: readonly string[] };
}

/** @param main the running file, possibly a link */
export async function findInstallation(main = process.argv[1] ?? ""): Promise<Installation> {
  const program = await realpath(main).catch(() => main);
  const folder = dirname(dirname(program));
  if (await exists(join(folder, MARK))) return byScript(dirname(dirname(folder)));
  const modules = dirname(folder);
  if (basename(modules) !== "node_modules") return byManager("npm", "install", "-g");
  if (program.includes(`${sep}_npx${sep}`))
    return {
      command: (origin, version) => `npx -y --package ${archiveAt(origin, version)} millrace`,
    };
  // pnpm stores packages in its own folder, and links to them.
  if (/[\\/]pnpm[\\/](?:.*[\\/])?global[\\/]/i.test(program)) return byManager("pnpm", "add", "-g");
  if (/[\\/]yarn[\\/](?:.*[\\/])?global[\\/]/i.test(program)) return byManager("yarn", "global", "add");
  if (program.includes(`${sep}.pnpm${sep}`)) return inProject("pnpm add");
  return (await exists(join(dirname(modules), "package.json")))
    ? inProject("npm install")
    : byManager("npm", "install", "-g");
}

function byScript(root: string): Installation {
  const isElsewhere = root !== join(homedir(), ".millrace");
  const script = IS_WINDOWS ? "install.ps1" : "install.sh";
  const given = isElsewhere ? `MILLRACE_INSTALL='${root}' ` : "";
  const place = isElsewhere ? `$env:MILLRACE_INSTALL = '${root}'; ` : "";
  return {
    command: (origin) =>
      IS_WINDOWS ? `${place}irm ${origin}/${script} | iex` : `curl -fsSL ${origin}/${script} | ${given}sh`,
    upgrade: { script, root },
  };
}

function byManager(program: string, ...words: readonly string[]): Installation {
  return {
    command: (origin) => [program, ...words, archiveAt(origin)].join(" "),
    upgrade: { program, args: words },
  };
}

/** Downloads the file into the project, because the server's address serves another version after its next upgrade. */
const inProject = (add: string): Installation => ({
  command: (origin) => `curl -fsSLO ${archiveAt(origin)} && ${add} --save-dev ./millrace.tgz`,
});

export const archiveAt = (origin: string, version?: string): string =>
  `${origin}/cli/millrace${version === undefined ? "" : `-${version}`}.tgz`;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
