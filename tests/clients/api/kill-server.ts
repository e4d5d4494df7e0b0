/** The API on a file, in a process of its own, to be killed: `node kill-server.ts <file>`. It sends its port. */
import { startApi } from "./api-server.ts";

const { port } = await startApi({ file: process.argv[2] ?? null });
process.on("disconnect", () => process.exit());
process.send?.(port);
