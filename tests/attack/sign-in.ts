import { json, send } from "./requests.ts";
import { CONSOLE_TOKEN, type RunningServer } from "./server-process.ts";

/** @returns the `Cookie` header of an operator's session; empty when the token is refused */
export async function signIn(server: RunningServer, from?: string): Promise<string> {
  const sent = json("/console/sign-in", { token: CONSOLE_TOKEN }, { ...(from && { from }) });
  const { headers } = await send(server.port, sent);
  return /^[^;]+/.exec(headers["set-cookie"] ?? "")?.[0] ?? "";
}
