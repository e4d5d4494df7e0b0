/**
 * Generates code from proto/ and content/facts/, and facts from the rooms of the server. Run it after each change there, and
 * commit the output: `npm run generate`. The check "api" compares what `api/` makes; a test next to each other `make-….ts` that is
 * imported here compares the rest.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateApi } from "./api/generate.ts";
import { makeCacheTools } from "./make-cache-tools.ts";
import { makeSearchRoutes, SEARCH_ROUTES_FILE } from "./make-search-routes.ts";
import { makeServerVariables, SERVER_VARIABLES_FILE } from "./make-server-variables.ts";
import { makeSetupChoices, SETUP_CHOICES_FILE } from "./make-setup-choices.ts";

const root = join(import.meta.dirname, "..");
for (const [file, text] of await makeCacheTools()) writeFileSync(join(root, file), text);
writeFileSync(join(root, SERVER_VARIABLES_FILE), await makeServerVariables());
writeFileSync(join(root, SEARCH_ROUTES_FILE), await makeSearchRoutes());
writeFileSync(join(root, SETUP_CHOICES_FILE), await makeSetupChoices());
await generateApi(root);
