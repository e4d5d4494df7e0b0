/** The error of a build that nothing can run: the sentence of the check, and who can fix it (decision 051). */
import { type Caller, isOperator, Refused } from "#accounts/index.ts";
import { CANNOT } from "../machine/capability.ts";
import type { BuildParts } from "../contract/parts.ts";

/** @param error from a place that was not opened; other errors are returned unchanged */
export async function adviseMissing(
  { builders }: Pick<BuildParts, "builders">,
  { actor }: Caller,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Refused) || !error.message.startsWith(CANNOT)) return error;
  const advice = isOperator(actor) ? await commandOf(builders) : whomToAsk(actor);
  return new Refused(error.code, `${error.message}${advice && ` ${advice}`}`, { cause: error });
}

async function commandOf(builders: BuildParts["builders"]): Promise<string> {
  const capabilities = await builders.check();
  const command = capabilities.find(({ state }) => state === "missing")?.command ?? "";
  return command && `On the server's machine, run: ${command}`;
}

function whomToAsk(actor: Caller["actor"]): string {
  const first = actor.kind === "user" ? actor.memberships.find(({ isFirst }) => isFirst) : undefined;
  return `Ask ${first ? `an owner of ${first.organization}` : "the operator"} to prepare this server for builders.`;
}
