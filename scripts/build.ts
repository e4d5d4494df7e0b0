import { runCommand } from "#server/commands/run-command.ts";
import { build } from "./steps/build.ts";

// The build that `npm start` runs before it listens.
await runCommand(async () => void (await build({ log: console.log })));
