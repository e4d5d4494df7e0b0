/**
 * Builds the package's code: `main.js` with chunks that load when they are needed, `client.js` with its types, and the
 * licenses of the bundled packages. The packages of the repository must be installed.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { readFacts } from "./read-facts.ts";

const here = import.meta.dirname;
const root = join(here, "..");
const packageVersion = (file: string): string =>
  // Every package.json has one.
  (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;

const BUNDLED = [
  "@bufbuild/protobuf",
  "@connectrpc/connect",
  "@connectrpc/connect-web",
  "undici",
  "ws",
  "proxy-from-env",
  "https-proxy-agent",
  "agent-base",
  "proxy-agent-negotiate",
  "debug",
  "ms",
];

/**
 * @param folder for the output, which becomes the package's `dist`
 * @param buildId of the CLI that a server hands out; without it, the CLI never compares itself with the server's
 */
export async function buildPackage(folder: string, buildId = ""): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const define = {
    MILLRACE_FACTS: JSON.stringify(readFacts()),
    MILLRACE_VERSION: JSON.stringify(packageVersion(join(here, "package.json"))),
    MILLRACE_BUILD: JSON.stringify(buildId),
  };
  const common = { cwd: here, platform: "node", logLevel: "warn" } as const;
  const output = { dir: folder, format: "esm", minify: true } as const;
  await build({
    ...common,
    input: { main: "src/main.ts" },
    transform: { define, target: "node20" },
    output: { ...output, entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
  });
  await build({
    ...common,
    platform: "neutral",
    input: { client: "src/client.ts" },
    external: [/^@bufbuild\//, /^@connectrpc\//],
    transform: { target: "es2022" },
    output: { ...output, minify: false, entryFileNames: "[name].js" },
  });
  chmodSync(join(folder, "main.js"), 0o755);
  writeTypes(join(folder, "types"));
  writeFileSync(join(folder, "licenses.txt"), licensesOf(BUNDLED));
}

/** The client's declarations, and in `gen/` those of the contract. */
function writeTypes(folder: string): void {
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const draft = join(folder, "draft");
  execFileSync(process.execPath, [compiler, "-p", join(here, "tsconfig.types.json"), "--outDir", draft]);
  renameSync(join(draft, "cli/src/client.d.ts"), join(folder, "client.d.ts"));
  renameSync(join(draft, "src/api/gen"), join(folder, "gen"));
  rmSync(draft, { recursive: true });
  for (const file of globSync("**/*.d.ts", { cwd: folder })) {
    const path = join(folder, file);
    // Declarations are read by compilers that do not allow `.ts` in an import.
    const text = readFileSync(path, "utf8")
      .replaceAll(/(from "\.[^"]+)\.ts"/g, '$1.js"')
      .replaceAll('from "../../src/api/gen/', 'from "./gen/');
    // The contract's line numbers are useless to someone who has only the types.
    const unmarked = text.replaceAll(/^ *\*\n(?= *\* @generated)|^ *\* @generated from .*\n/gm, "");
    writeFileSync(path, unmarked.replaceAll(/^ *\/\*\*\n *\*\/\n/gm, ""));
  }
}

function licensesOf(packages: readonly string[]): string {
  return packages
    .map((name) => {
      const folder = join(root, "node_modules", name);
      const [file] = globSync("LICENSE*", { cwd: folder });
      const text =
        file === undefined
          ? readFileSync(join(root, "LICENSE"), "utf8")
          : readFileSync(join(folder, file), "utf8");
      return `${name} ${packageVersion(join(folder, "package.json"))}\n\n${text.trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
