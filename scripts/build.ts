import { parseEnvironment } from "../src/environment.ts";
import { build } from "./build/build.ts";
import { readEnvironment } from "./build/listening.ts";
import { runCommand } from "./build/user-error.ts";

// What `npm start` does before it listens.
await runCommand(async () => {
  const { SITE_ORIGIN: origin } = readEnvironment(parseEnvironment);
  await build({ origin, log: console.log });
});
