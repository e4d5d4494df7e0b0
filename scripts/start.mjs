import { launch } from "./launch.mjs";

await launch("scripts/start.ts");
