/** Everyone who may send: a client without credentials, and anyone with a token or an open session. */
import { json, send } from "../requests.ts";
import { ADMIN_KEY, type RunningServer, SITE_ORIGIN } from "../server-process.ts";
import { asOwner, signIn } from "../sign-in.ts";

export interface Caller {
  name: string;
  headers: Record<string, string>;
}

/** Ends the session of its sender. */
export const SIGN_OUT = "POST /auth/sign-out";
const SESSION = "an owner's session";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export async function openCallers(server: RunningServer, project: string): Promise<Caller[]> {
  const make = async (name: string, body: object): Promise<Caller> => {
    const sent = json("/api/millrace.v1.TokenService/Create", { name, ...body }, { headers: asOwner });
    const answer = await send(server.port, sent);
    if (answer.status !== 200) throw new Error(`a token: ${answer.status} ${answer.body.toString()}`);
    return { name, headers: bearer((JSON.parse(answer.body.toString()) as { secret: string }).secret) };
  };
  const own = { origin: SITE_ORIGIN, "sec-fetch-site": "same-origin" };
  return [
    { name: "nobody", headers: {} },
    { name: "a page without a session", headers: own },
    { name: "a wrong token", headers: bearer("mr_org_000000000000000000000000000000000000000000") },
    await make("a token that reads", { type: "org", read_only: true }),
    await make("a project's token", { type: "project", project_id: project }),
    await make("an organization's token", { type: "org" }),
    { name: "an owner's token", headers: asOwner },
    { name: SESSION, headers: { ...own, cookie: await signIn(server) } },
    { name: "the key of the search", headers: bearer(ADMIN_KEY) },
  ];
}

/** After a `SIGN_OUT`, which may have been the session's own. */
export async function signInAgain(server: RunningServer, callers: readonly Caller[]): Promise<void> {
  const session = callers.find(({ name }) => name === SESSION)!;
  if (await isRefused(server, session)) session.headers["cookie"] = await signIn(server);
}

/** Nothing that was sent may have ended them, or less and less would be attacked. */
export async function refusedCallers(server: RunningServer, callers: readonly Caller[]): Promise<string[]> {
  const refused: string[] = [];
  for (const caller of callers.filter(({ name }) => / token that|'s token|'s session/.test(name)))
    if (await isRefused(server, caller)) refused.push(caller.name);
  return refused;
}

async function isRefused(server: RunningServer, { headers }: Caller): Promise<boolean> {
  const sent = json("/api/millrace.v1.AccountService/WhoAmI", {}, { headers });
  return (await send(server.port, sent)).status !== 200;
}
