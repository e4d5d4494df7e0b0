/**
 * Generates code from proto/ and content/facts/. Run it after each change there, and commit what it writes:
 * `npm run generate`. The check "api" and a test beside `make-setup-choices.ts` compare.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateApi } from "./api/generate.ts";
import { makeSetupChoices, SETUP_CHOICES_FILE } from "./make-setup-choices.ts";

const root = join(import.meta.dirname, "..");
writeFileSync(join(root, SETUP_CHOICES_FILE), makeSetupChoices());
generateApi(root);
