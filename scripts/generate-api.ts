/**
 * Generates code from proto/. Run it after each change there or in content/facts/api.yaml, and commit what it writes:
 * `npm run generate`. The check "api" compares.
 */
import { join } from "node:path";
import { generateApi } from "./api/generate.ts";

generateApi(join(import.meta.dirname, ".."));
