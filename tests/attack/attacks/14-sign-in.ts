import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Attack, isWait, type Stage } from "../attack.ts";
import { inParallel, json, send } from "../requests.ts";
import { ADMIN_KEY, type RunningServer } from "../server-process.ts";
import { makeLinkKey, signIn, useLink } from "../sign-in.ts";

const WRONG = 500;
const RIGHT = 3;

export const lockOut: Attack = {
  item: 14,
  name: "locking the operator out",
  bound:
    "Clients that guess wait, by address; the operator can sign in; sign-out ends a session; nothing kept is readable by others.",
  async run(stage) {
    const server = await stage.server();
    const guess = (at: number) => {
      const key = `${String(at).padStart(4, "0")}-2MXR-9KTD`;
      return send(server.port, json(`/auth/start/${key}`, {}, { from: stage.address(at % 5) }));
    };
    const wrong = await inParallel(WRONG, 4, guess);
    const refused = wrong.find(({ status }) => status === 429);
    stage.check(refused !== undefined, `${WRONG} guessed links were all looked at`);
    if (refused) stage.check(isWait(refused.headers["retry-after"]), "429 of a sign-in has no Retry-After");
    const right = await inParallel(RIGHT, 1, async (at) => {
      const key = await makeLinkKey(server);
      await guess(at);
      return useLink(server, key, stage.address(100 + at));
    });
    const signedIn = right.filter((cookie) => cookie !== "").length;
    stage.check(signedIn === RIGHT, `${signedIn} of ${RIGHT} right sign-ins came through`);
    stage.report("right sign-ins beside wrong ones", `${signedIn} of ${RIGHT} came through`);
    await signOut(stage, server);
    await adminKeys(stage, server);
    const open = readableByOthers(server.dataDir);
    stage.check(open.length === 0, `other users can read ${open.slice(0, 3).join(", ")}`);
  },
};

async function signOut(stage: Stage, server: RunningServer): Promise<void> {
  const cookie = await signIn(server, stage.address(200));
  const overview = () => send(server.port, { path: "/console/api/overview", headers: { cookie } });
  const before = await overview();
  stage.check(before.status === 200, `a session was answered ${before.status}`);
  await send(server.port, json("/auth/sign-out", {}, { headers: { cookie } }));
  const after = await overview();
  stage.check(after.status === 401, `after signing out the session is answered ${after.status}`);
}

async function adminKeys(stage: Stage, server: RunningServer): Promise<void> {
  const ask = (key: string, number: number) =>
    send(server.port, {
      path: "/search/indexes",
      from: stage.address(number),
      headers: { authorization: `Bearer ${key}` },
    });
  const wrong = await inParallel(500, 4, (at) => ask(`wrong-${at}`, 300));
  const refused = wrong.filter(({ status }) => status === 429);
  stage.check(refused.length > 0, "500 wrong admin keys of one address were all looked at");
  const other = await ask(ADMIN_KEY, 301);
  stage.check(other.status === 200, `beside wrong keys the right one of another address got ${other.status}`);
}

function readableByOthers(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = [folder, ...entries.map((entry) => join(entry.parentPath, entry.name))];
  return paths.filter((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && (stat.mode & 0o077) !== 0;
  });
}
