import { launch } from "./launch.mjs";
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from "./server-memory.mjs";

await launch("scripts/start.ts", { flags: SERVER_FLAGS, env: SERVER_ENVIRONMENT });
