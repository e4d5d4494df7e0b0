import { checks } from "./build/checks.ts";
import { runChecks } from "./build/run-checks.ts";
import { runCommand } from "./build/user-error.ts";

// `npm test -- unit browser` runs some of the checks.
await runCommand(() => runChecks(checks, process.argv.slice(2)));
