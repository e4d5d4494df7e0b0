import { runCommand } from "./build/user-error.ts";
import { startDevelopment } from "./build/development.ts";

await runCommand(startDevelopment);
