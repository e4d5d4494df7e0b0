/** `tokens create`, `tokens list`, `tokens revoke`. */
import { randomUUID } from "node:crypto";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Token, TokenSchema } from "../client.ts";
import { CliError, usageError } from "../errors.ts";
import { formatDay, messageRecord, printList } from "../output.ts";
import { readAllPages } from "../pages.ts";
import { openProject } from "../find-project.ts";
import { type Invocation, openSession, type Session } from "../session.ts";
import { cleanJson, cleanText } from "../text.ts";
import { parseDuration } from "../units.ts";

export async function createToken(call: Invocation): Promise<void> {
  const { flags, terminal } = call;
  const type = flags.text("--type") ?? "org";
  const duration = parseDuration(flags.text("--expires") ?? "never", "--expires");
  if (type !== "project" && flags.isSet("--project")) throw usageError(`--project needs --type project`);
  const { api, projectId } =
    type === "project" ? await openProject(call) : { ...(await openSession(call)), projectId: "" };
  const { token, secret } = await api.tokens.create(
    {
      name: flags.text("--name") ?? "",
      type,
      projectId,
      readOnly: flags.isSet("--read-only"),
      ...(duration === undefined ? {} : { expiresAt: timestampFromMs(Date.now() + duration) }),
    },
    // A retry after a broken connection must not make a second token.
    { headers: { "Idempotency-Key": randomUUID() } },
  );
  if (!token) throw new CliError("the server sent no token");
  if (flags.text("--output") === "json")
    return terminal.out(`${cleanJson({ ...messageRecord(TokenSchema, token), secret })}\n`);
  const end = token.expiresAt ? `expires ${formatDay(token.expiresAt)}` : "never expires";
  terminal.out(`${cleanText(secret)}\n${cleanText(token.id)} ${end}\n`);
}

export async function listTokens(call: Invocation): Promise<void> {
  const session = await openSession(call);
  printList(call.terminal, await readAll(session), {
    format: call.flags.text("--output"),
    columns: [
      { heading: "ID", text: ({ id }) => id },
      { heading: "NAME", text: ({ name }) => name },
      { heading: "TYPE", text: ({ type, readOnly }) => (readOnly ? `${type}, read-only` : type) },
      { heading: "OWNER", text: ({ owner }) => owner },
      { heading: "LAST USED", text: ({ lastUsedAt }) => formatDay(lastUsedAt) },
      { heading: "EXPIRES", text: ({ expiresAt }) => formatDay(expiresAt) },
    ],
    record: (token) => messageRecord(TokenSchema, token),
  });
}

const readAll = ({ api }: Session): Promise<Token[]> =>
  readAllPages(async (page) => {
    const { tokens: items, nextPageToken } = await api.tokens.list(page);
    return { items, nextPageToken };
  });

export async function revokeToken(call: Invocation): Promise<void> {
  const tokenId = call.positionals[0]!;
  const session = await openSession(call);
  // The name is for the message. It is read first, because a token may revoke itself.
  const name = (await readAll(session)).find(({ id }) => id === tokenId)?.name ?? "";
  await session.api.tokens.revoke({ tokenId });
  call.terminal.out(`Revoked ${cleanText(name === "" ? tokenId : `${tokenId} (${name})`)}\n`);
}
