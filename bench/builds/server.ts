/** The server with builders in its own process, so that it can be measured. Its argument is the data folder, which must be on a disk. */
import { mkdirSync } from "node:fs";
import { startBuildServer } from "../../tests/clients/builds/build-server.ts";
import { TOKEN } from "../cache/peers.ts";

const [folder = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const idle = process.env["MILLRACE_BUILDER_IDLE"];
const server = await startBuildServer({
  folder,
  env: { MILLRACE_OWNER_TOKEN: TOKEN, ...(idle === undefined ? {} : { MILLRACE_BUILDER_IDLE: idle }) },
});
process.on("disconnect", () => {
  for (const line of server.logged) console.error(line);
  void server.close().then(() => process.exit(0));
});
process.send?.({ origin: server.origin });
