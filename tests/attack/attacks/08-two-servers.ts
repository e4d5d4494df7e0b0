import type { Attack } from "../attack.ts";
import { startServer } from "../server-process.ts";

export const twoServers: Attack = {
  item: 8,
  name: "two servers on one DATA_DIR",
  bound: "The second start ends immediately and says who has the folder; the first keeps running.",
  async run(stage) {
    const first = await stage.server();
    const second = await startServer({ dataDir: first.dataDir }).then(
      async (server) => {
        await server.kill();
        return "it started";
      },
      (error: Error) => error.message,
    );
    stage.check(
      second.includes(`process ${first.pid}`),
      `the second server did not say who has the folder: ${second}`,
    );
    stage.check(first.isRunning(), "the first server has ended");
    stage.report(
      "a second server on the folder of the first",
      second === "it started" ? second : "refused, names the first",
    );
  },
};
