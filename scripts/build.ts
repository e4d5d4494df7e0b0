import { runCommand } from "#server/run-command.ts";
import { build } from "./steps/build.ts";

// What `npm start` does before it listens.
await runCommand(async () => void (await build({ log: console.log })));
