/** `whoami`: the server, the token's type and owner, and the organization. */
import { type AccountServiceWhoAmIResponse, AccountServiceWhoAmIResponseSchema } from "../client.ts";
import { messageRecord } from "../output.ts";
import { type Invocation, openSession } from "../session.ts";
import { cleanJson, cleanText } from "../text.ts";

export async function whoAmI(call: Invocation): Promise<void> {
  const { origin, api } = await openSession(call);
  const answer = await api.account.whoAmI({});
  const { terminal, flags } = call;
  if (flags.text("--output") === "json") {
    // The server's own name may differ from the one that works from here.
    const record = messageRecord(AccountServiceWhoAmIResponseSchema, { ...answer, server: origin });
    terminal.out(`${cleanJson(record)}\n`);
  } else terminal.out(`${describe(answer)} in ${cleanText(answer.organization)} at ${origin}\n`);
}

function describe({
  user,
  role,
  tokenType,
  tokenId,
  projectId,
  readOnly,
}: AccountServiceWhoAmIResponse): string {
  const notes = [role, projectId, readOnly ? "read-only" : ""].filter((note) => note !== "").join(", ");
  const types: { [type: string]: string } = { org: "organization" };
  const who = user || `${types[tokenType] ?? tokenType} token ${tokenId}`;
  return cleanText(notes === "" ? who : `${who} (${notes})`);
}
