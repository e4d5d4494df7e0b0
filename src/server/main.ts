// Serves a complete build with the packages of `npm ci --omit=dev`; it builds and installs nothing. `npm start` updates the build
// first.
import { findBuild } from "./pages/find-build.ts";
import { runServerCommand } from "./commands/server-commands.ts";
import { runCommand } from "./commands/run-command.ts";

await runCommand(() => runServerCommand(process.argv.slice(2), () => Promise.resolve(findBuild())));
