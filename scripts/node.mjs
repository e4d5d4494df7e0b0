// Runs a script with the project's Node.js: `npm run node scripts/update-anchors.ts`.
import { launch } from "./launch.mjs";

const [script, ...args] = process.argv.slice(2);
if (script) await launch(script, { args });
else {
  console.error("Name the script to run: npm run node scripts/update-anchors.ts");
  process.exitCode = 1;
}
