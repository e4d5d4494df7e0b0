/** A server with builders in a process of its own, to be killed: `node build-process.ts <data folder> <its port>`. It sends its origin. */
import { startBuildServer } from "./build-server.ts";

const [folder = "", port] = process.argv.slice(2);
const server = await startBuildServer({
  folder,
  port: Number(port),
  // A third one waits.
  env: { MILLRACE_BUILDER_CONCURRENCY: "2" },
});
// As main.ts does.
process.once("SIGTERM", () => void server.close().then(() => process.exit()));
process.on("disconnect", () => process.exit());
process.send?.(server.origin);
