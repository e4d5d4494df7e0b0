/**
 * Prints Lighthouse's four scores of a running site (`npm start`) and asserts nothing: performance depends on
 * the machine and its load. The other three are also tests (`tests/e2e/lighthouse.spec.ts`).
 *
 *   npm run lighthouse                                  the home page and a page of the documentation, on localhost:3000
 *   npm run lighthouse -- --origin http://localhost:4000 --paths /,/trust
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { findBrowsers } from "../scripts/checks/browser.ts";
import { auditPage, categories } from "../tests/e2e/audit-page.ts";

const { values: options } = parseArgs({
  options: {
    origin: { type: "string", default: "http://localhost:3000" },
    paths: { type: "string", default: "/,/docs/container-builds/quickstart" },
  },
});

console.log(`Load of the machine: ${loadavg()[0]?.toFixed(1)}`);
const browserPath = findBrowsers().whole;
for (const path of options.paths.split(",")) {
  const { scores, failures, timings } = await auditPage(options.origin + path, categories, browserPath);
  console.log(`\n${path}`);
  for (const [name, value] of Object.entries(scores)) console.log(`  ${name.padEnd(26)} ${value}`);
  for (const [name, value] of Object.entries(timings)) console.log(`  ${name.padEnd(26)} ${value} ms`);
  for (const failure of failures) console.log(`  - ${failure}`);
}
