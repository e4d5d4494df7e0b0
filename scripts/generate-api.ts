/** Generates code from proto/. Run it after each change there, and commit what it writes: `npm run generate`. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

const GENERATED = [
  { template: "proto/api.gen.yaml", path: "proto/millrace" },
  { template: "proto/cli.gen.yaml", path: "proto/millrace" },
  { template: "proto/health.gen.yaml", path: "proto/grpc" },
];

for (const { template, path } of GENERATED)
  execFileSync("node_modules/.bin/buf", ["generate", "proto", "--template", template, "--path", path], {
    cwd: root,
    stdio: "inherit",
  });

// Formatted like everything else, so that nothing but the contract changes it.
execFileSync(
  process.execPath,
  [
    "node_modules/prettier/bin/prettier.cjs",
    "--write",
    "--log-level=warn",
    "src/api/gen",
    "cli/src/gen",
    "src/platform/grpc/gen",
  ],
  { cwd: root, stdio: "inherit" },
);
