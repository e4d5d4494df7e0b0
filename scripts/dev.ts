import { parseEnvironment } from "../src/server/environment.ts";
import { startDevelopment } from "../src/server/development.ts";
import { readEnvironment } from "../src/server/listening.ts";
import { runCommand } from "../src/server/user-error.ts";
import { spriteUrl } from "./bundler/sprite-plugin.ts";
import { describePages } from "./checks/content-check.ts";
import { build } from "./steps/build.ts";
import { compileContent } from "./steps/content-step.ts";

const { SITE_ORIGIN: origin } = readEnvironment(parseEnvironment);

await runCommand(() =>
  startDevelopment({
    compile: compileContent,
    describe: describePages,
    buildConsole: () => build({ origin, only: ["console"], log: console.log }),
    spriteUrl,
  }),
);
