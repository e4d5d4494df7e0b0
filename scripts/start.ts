import { runServerCommand } from "#server/commands/server-commands.ts";
import { runCommand } from "#server/commands/run-command.ts";
import { build } from "./steps/build.ts";

await runCommand(() => runServerCommand(process.argv.slice(2), () => build({ log: console.log })));
