import { parseEnvironment } from "../src/server/environment.ts";
import { readEnvironment } from "../src/server/listening.ts";
import { runCommand } from "../src/server/user-error.ts";
import { build } from "./steps/build.ts";

// What `npm start` does before it listens.
await runCommand(async () => {
  const { SITE_ORIGIN: origin } = readEnvironment(parseEnvironment);
  await build({ origin, log: console.log });
});
