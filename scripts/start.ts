import { startServer } from "../src/server/start.ts";
import { runCommand } from "../src/server/user-error.ts";
import { build } from "./steps/build.ts";

await runCommand(() => startServer(() => build({ log: console.log })));
