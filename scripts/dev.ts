import { startDevelopment } from "#server/development.ts";
import { runCommand } from "#server/commands/run-command.ts";
import { spriteUrl } from "./bundler/sprite-plugin.ts";
import { describePages } from "./checks/content-check.ts";
import { build } from "./steps/build.ts";
import { compileContent } from "./steps/content-step.ts";

process.env["COMPONENT_PAGES"] = "1";
await runCommand(() =>
  startDevelopment({
    compile: () => compileContent({ withDrafts: true }),
    describe: describePages,
    buildFiles: () => build({ only: ["console", "cli"], log: console.log }),
    spriteUrl,
  }),
);
