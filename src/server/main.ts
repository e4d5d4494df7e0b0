// Serves a complete build with the packages of `npm ci --omit=dev`; it builds and installs nothing. `npm start` updates the build
// first.
import { findBuild } from "./find-build.ts";
import { runServerCommand } from "./server-commands.ts";
import { runCommand } from "./run-command.ts";

await runCommand(() => runServerCommand(process.argv.slice(2), () => Promise.resolve(findBuild())));
