import { launch } from "./launch.mjs";

await launch("tests/attack/main.ts");
