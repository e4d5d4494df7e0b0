import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../attack.ts";
import { json, send } from "../requests.ts";
import { SITE_ORIGIN } from "../server-process.ts";
import { useLink } from "../sign-in.ts";

const reports = ["overview", "searches", "pages", "errors", "recordings", "surveys", "flags", "health"];

export const consoleBehindProxy: Attack = {
  item: 12,
  name: "the console behind a proxy on this machine",
  bound:
    "No address opens it: only an owner's browser or token. The start prints a link that makes the first owner, once.",
  async run(stage) {
    const server = await stage.server({ env: { MILLRACE_OWNER_TOKEN: undefined } });
    let refused = 0;
    // As nginx's plain `proxy_pass http://localhost:…` sends it: connection and name are this machine's.
    for (const report of reports) {
      const headers = { host: `localhost:${server.port}` };
      const { status } = await send(server.port, { path: `/console/api/${report}`, headers });
      if (
        stage.check(status === 401 || status === 403, `/console/api/${report} is open to everyone: ${status}`)
      )
        refused++;
    }
    const action = json(
      "/console/api/searches/actions",
      {},
      { headers: { host: `localhost:${server.port}` } },
    );
    const { status } = await send(server.port, action);
    stage.check(status === 401 || status === 403, `an action of the console is open to everyone: ${status}`);

    stage.report("reports of the console without a session", `${refused} of ${reports.length} refused`);

    const file = join(server.dataDir, "secret.key");
    if (!stage.check(existsSync(file), "the first start wrote no secret.key into DATA_DIR")) return;
    stage.check((statSync(file).mode & 0o777) === 0o600, "secret.key can be read by other users");
    const [link, key = ""] = /^\S+\/app\/start\/([0-9A-Z-]{14})$/m.exec(server.output()) ?? [];
    stage.check(link?.startsWith(SITE_ORIGIN) ?? false, `the start printed no link: ${link}`);
    const owner = { organization: "acme", name: "Ada" };
    const first = await send(server.port, json(`/auth/start/${key}`, owner));
    stage.check(first.status === 200, `the link was answered ${first.status} ${first.body.toString()}`);
    const again = await send(server.port, json(`/auth/start/${key}`, { ...owner, name: "Eve" }));
    stage.check(again.status >= 400, `the link made a second owner: ${again.status}`);
    stage.check((await useLink(server, key)) === "", "a used link signed a browser in");
  },
};
