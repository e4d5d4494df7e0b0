import { launch } from "./launch.mjs";

await launch("bench/search-server.ts");
