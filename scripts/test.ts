import { checks } from "./checks/checks.ts";
import { runChecks } from "./checks/run-checks.ts";
import { runCommand } from "#server/commands/run-command.ts";

// `npm test -- unit browser` runs some of the checks.
await runCommand(() => runChecks(checks, process.argv.slice(2)));
