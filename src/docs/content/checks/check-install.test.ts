/**
 * Properties of the check of install commands:
 * 1. Each way to install the package `millrace` from a registry is found, in files for pages, screens, the CLI and the README.
 * 2. Commands that use a server, a file or the installed package are not found, nor are mere mentions of the command.
 * 3. Once a fact says that the package is published, nothing is found.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { noFacts } from "../facts/facts.ts";
import { bareInstall, checkInstall } from "./check-install.ts";

test.each([
  "npm install -g millrace",
  "npm i -g millrace",
  "sudo npm install --global millrace@0.1.0",
  "`npm install -g --omit=optional millrace`.",
  "npm install --save-dev --save-exact millrace",
  "npm i left-pad millrace",
  "npm exec -- millrace whoami",
  "npx millrace build .",
  "npx -y millrace whoami",
  "- run: npx --yes millrace@latest build",
  "npx -p millrace millrace whoami",
  "npx -y --package=millrace millrace whoami",
  "yarn global add millrace",
  "yarn dlx millrace whoami",
  "yarn add --dev --exact millrace",
  "pnpm add -g millrace",
  "pnpm dlx millrace whoami",
  "bunx millrace",
  "bun add -g millrace",
  'RUN ["npm", "x"] && npm install -g "millrace"',
  '  "millrace": "^0.1.0"',
])("1. %s", (line) => {
  expect(bareInstall(line)).toBeDefined();
});

test.each([
  "npm install -g {{origin}}/cli/millrace.tgz",
  "npm install -g https://build.acme.example/cli/millrace.tgz && millrace login",
  "npx -y --package {{origin}}/cli/millrace.tgz millrace whoami",
  "npm install --save-dev ./millrace.tgz",
  "npx --no millrace build .",
  "pnpm exec millrace build .",
  "npm uninstall -g millrace",
  "Run npm install, then millrace login.",
  "npm install @millrace/other",
  "npm install -g millrace-tools",
  "MILLRACE_URL=x millrace whoami",
])("2. %s", (line) => {
  expect(bareInstall(line)).toBeUndefined();
});

test("1. and 3. files", () => {
  const root = mkdtempSync(join(tmpdir(), "check-install-"));
  const files = [
    "content/docs/a/b.mdx",
    "content/facts/x.yaml",
    "src/app/screens/x.tsx",
    "cli/src/a.ts",
    "cli/README.md",
    "README.md",
  ];
  for (const file of [...files, "src/server/x.ts", "src/app/x.test.ts"]) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), "one\nnpx millrace whoami\n");
  }
  const found = checkInstall(noFacts, root);
  expect(found.map(({ file, line }) => `${file}:${line}`).toSorted()).toEqual(
    files.map((file) => `${file}:2`).toSorted(),
  );
  const install = { ...noFacts.cli.install, published: true };
  expect(checkInstall({ ...noFacts, cli: { ...noFacts.cli, install } }, root)).toEqual([]);
  rmSync(root, { recursive: true });
});
