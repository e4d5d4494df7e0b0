import { runServerCommand } from "../src/server/server-commands.ts";
import { runCommand } from "../src/server/user-error.ts";
import { build } from "./steps/build.ts";

await runCommand(() => runServerCommand(process.argv.slice(2), () => build({ log: console.log })));
