/** `mirrors list`, `mirrors login`, `mirrors logout`: credentials for registries whose images are pulled through. */
import { MirrorCredentialsSchema } from "../client.ts";
import { usageError } from "../errors.ts";
import { formatDay, messageRecord, printList } from "../output.ts";
import { type Invocation, openSession } from "../session.ts";
import { cleanText } from "../text.ts";

/** Tokens of cloud providers have a few thousand. */
const MOST_PASSWORD_BYTES = 64 * 1024;

export async function listMirrors(call: Invocation): Promise<void> {
  const { api } = await openSession(call);
  const { credentials } = await api.mirrors.list({});
  printList(call.terminal, credentials, {
    format: call.flags.text("--output"),
    columns: [
      { heading: "HOST", text: ({ host }) => host },
      { heading: "USERNAME", text: ({ username }) => username },
      { heading: "SET BY", text: ({ setBy }) => setBy },
      { heading: "SET", text: ({ setAt }) => formatDay(setAt) },
    ],
    record: (one) => messageRecord(MirrorCredentialsSchema, one),
  });
}

export async function logInToMirror(call: Invocation): Promise<void> {
  const { flags, terminal } = call;
  const host = readHost(call);
  const username = flags.text("--username") ?? "";
  if (terminal.isInteractive)
    throw usageError(
      "the terminal would show the password: pipe it in, as in --password-stdin < password.txt",
    );
  const password = (await terminal.readInput(MOST_PASSWORD_BYTES)).replace(/\r?\n$/, "");
  if (password === "") throw usageError("standard input contains no password");
  if (/[\r\n]/.test(password))
    throw usageError("standard input has several lines: it must contain only the password");
  const { api } = await openSession(call);
  const { credentials } = await api.mirrors.set({ host, username, password });
  terminal.out(`Images from ${cleanText(credentials?.host ?? host)} are pulled as ${cleanText(username)}\n`);
}

export async function logOutOfMirror(call: Invocation): Promise<void> {
  const host = readHost(call);
  const { api } = await openSession(call);
  await api.mirrors.delete({ host });
  call.terminal.out(`Deleted the credentials for ${host}\n`);
}

/** Users copy the host from an address. */
function readHost({ positionals }: Invocation): string {
  const given = positionals[0]!;
  const host = given
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "");
  if (/^[a-z0-9.-]+(?::[0-9]+)?$/.test(host)) return host;
  throw usageError(`${cleanText(given)} is not a host: write ghcr.io, without a path`);
}
