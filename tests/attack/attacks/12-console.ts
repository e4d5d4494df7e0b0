import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../attack.ts";
import { json, send } from "../requests.ts";

const reports = ["overview", "searches", "pages", "errors", "recordings", "surveys", "flags", "health"];

export const consoleBehindProxy: Attack = {
  item: 12,
  name: "the console behind a proxy on this machine",
  bound:
    "No address opens it: without CONSOLE_TOKEN there is a random token in DATA_DIR, and never a session without it.",
  async run(stage) {
    const server = await stage.server({ env: { CONSOLE_TOKEN: undefined } });
    let refused = 0;
    // As nginx's plain `proxy_pass http://localhost:…` sends it: connection and name are this machine's.
    for (const report of reports) {
      const headers = { host: `localhost:${server.port}` };
      const { status } = await send(server.port, { path: `/console/api/${report}`, headers });
      if (
        stage.check(
          status === 401 || status === 403,
          `/console/api/${report} is open to everybody: ${status}`,
        )
      )
        refused++;
    }
    const action = json(
      "/console/api/searches/actions",
      {},
      { headers: { host: `localhost:${server.port}` } },
    );
    const { status } = await send(server.port, action);
    stage.check(status === 401 || status === 403, `an action of the console is open to everybody: ${status}`);

    stage.report("reports of the console without a session", `${refused} of ${reports.length} refused`);

    const file = join(server.dataDir, "console-token");
    if (!stage.check(existsSync(file), "the first start wrote no console-token into DATA_DIR")) return;
    const token = readFileSync(file, "utf8").trim();
    stage.check((statSync(file).mode & 0o777) === 0o600, "console-token can be read by other users");
    stage.check(token.length >= 32, `console-token has ${token.length} characters only`);
    stage.check(!server.output().includes(token), "the token is in the log");
    stage.check(/\/console\/?#\S{16,}/.test(server.output()), "the start printed no link that signs in");
  },
};
