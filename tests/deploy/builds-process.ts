/**
 * A server with builders in a process of its own, to be killed. Prints its port; ends with SIGTERM as a server does.
 *
 *   node builds-process.ts <data folder> <JSON of its environment>
 */
import { startBuildServer } from "../clients/builds/build-server.ts";

const [folder = "", env = "{}"] = process.argv.slice(2);
// Written by the test alone.
const server = await startBuildServer({ folder, env: JSON.parse(env) as Record<string, string> });
console.log(`port ${server.port}`);
process.once("SIGTERM", () => void server.close().then(() => process.exit(0)));
