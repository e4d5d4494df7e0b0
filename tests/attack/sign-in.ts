import { spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "#server/pages/build-folders.ts";
import { json, send } from "./requests.ts";
import { OWNER_TOKEN, type RunningServer, serverEnvironment } from "./server-process.ts";

/** The headers of an owner's program. */
export const asOwner = { authorization: `Bearer ${OWNER_TOKEN}` };

/** @returns the key of a link that signs the first owner in, as the operator's command prints it */
export async function makeLinkKey({ port, dataDir }: RunningServer): Promise<string> {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "src/server/main.ts", "owner-link"],
    { cwd: root, env: serverEnvironment(port, dataDir), stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  await once(child, "close");
  const [, key] = /\/app\/start\/(\S+)/.exec(output) ?? [];
  if (!key) throw new Error(`The command printed no link: ${output}`);
  return key;
}

/** @returns the `Cookie` header of a browser that was signed in with the link; empty when it is refused */
export async function useLink(server: RunningServer, key: string, from?: string): Promise<string> {
  const sent = json(`/auth/start/${key}`, {}, { ...(from && { from }) });
  const { headers } = await send(server.port, sent);
  return /millrace-session=[^;]+/.exec(headers["set-cookie"] ?? "")?.[0] ?? "";
}

/** @returns the `Cookie` header of an owner's browser */
export async function signIn(server: RunningServer, from?: string): Promise<string> {
  return useLink(server, await makeLinkKey(server), from);
}
