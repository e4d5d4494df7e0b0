import { launch } from "./launch.mjs";

await launch("scripts/dev.ts");
