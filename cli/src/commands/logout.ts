/** `logout`: ends the stored token on the server, then forgets it. */
import { changeCredentials, findCredentialsFile, readCredentials } from "../credentials.ts";
import { CliError, EXIT_NOT_AUTHENTICATED } from "../errors.ts";
import { checkToken, connectTo, findOrigin, type Invocation } from "../session.ts";

export async function logout(call: Invocation): Promise<void> {
  const file = findCredentialsFile(call.env);
  const credentials = await readCredentials(file);
  const origin = await findOrigin(call, credentials);
  const entry = credentials?.servers[origin];
  if (!entry)
    throw new CliError(`unauthenticated: ${file.shown} has no token for ${origin}`, EXIT_NOT_AUTHENTICATED);
  // Other tokens were not made for this machine alone; `login --token` only stored them.
  const isOwn = entry.token.startsWith("mr_user_");
  const problem = isOwn ? await revoke(call, origin, entry.token) : undefined;
  await changeCredentials(file, (known) => {
    // A login that happened in the meantime keeps its token.
    if (known.servers[origin]?.token !== entry.token) return;
    delete known.servers[origin];
    if (known.current === origin) delete known.current;
  });
  if (problem)
    throw new CliError(
      `removed the token from ${file.shown}, but it still works, because it could not be revoked: ${problem.message}`,
      problem.exitCode,
    );
  call.terminal.out(
    isOwn
      ? `Revoked the token and removed it from ${file.shown}\n`
      : `Removed the token from ${file.shown}. It still works\n`,
  );
}

/** @returns undefined once the token no longer works */
async function revoke(call: Invocation, origin: string, token: string): Promise<CliError | undefined> {
  const { refusalOf } = await import("../api-errors.ts");
  try {
    const { api } = await connectTo(call, origin, { token: checkToken(token, "the stored token") });
    const { tokenId } = await api.account.whoAmI({});
    await api.tokens.revoke({ tokenId });
    return undefined;
  } catch (error) {
    const refusal = error instanceof CliError ? error : await refusalOf(error, undefined);
    if (!refusal) throw error;
    return refusal.exitCode === EXIT_NOT_AUTHENTICATED ? undefined : refusal;
  }
}
