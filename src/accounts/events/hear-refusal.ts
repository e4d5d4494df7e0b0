/** From a refused call to what is told of it. Called only when something is refused. */
import type { Accounts } from "../accounts.ts";
import type { Actor } from "../actor.ts";
import { tokenOf } from "../identify.ts";
import type { Refused, ShownToken } from "../refused.ts";

export interface RefusedCall {
  refused: Refused;
  /** Null: not known yet. */
  actor: Actor | null;
  /** The token as it was shown, of which nothing but its kind is kept; undefined: none, or a browser. */
  shown?: string | undefined;
  address: string;
}

const KINDS: Readonly<Record<ShownToken["type"], string>> = {
  user: "user token",
  org: "organization token",
  project: "project token",
  job: "job token",
};
const PREFIX = /^mr_(?:user|org|prj|job)_/;

export function hearRefusal(accounts: Accounts, call: RefusedCall): void {
  const { refused, actor, shown, address } = call;
  if (refused.code === "permission_denied" && actor) return hearDenied(accounts, { refused, actor, address });
  if (refused.code !== "unauthenticated" || !shown) return;
  const { token, message } = refused;
  if (token)
    return accounts.hearing.hear({
      kind: `refused.${token.type}`,
      text: `${KINDS[token.type]} ${token.name}: ${message}; create a new one`,
      token,
      address,
    });
  const prefix = PREFIX.exec(shown)?.[0];
  accounts.hearing.hear({
    kind: "refused.unknown",
    text: `a token${prefix ? ` ${prefix}…` : ""} that this server does not know: ${message}; log in again or create a new one`,
    token: null,
    address,
  });
}

function hearDenied(
  accounts: Accounts,
  { refused, actor, address }: { refused: Refused; actor: Actor; address: string },
): void {
  const token = tokenOf(actor);
  const advice = refused.advice ? `; ${refused.advice}` : "";
  // A page does not offer what its reader may not do, and says so itself when that has just changed.
  if (!token) return;
  const who = actor.kind === "user" ? `${actor.name}'s token` : `${KINDS[token.type]} ${token.name}`;
  accounts.hearing.hear({
    kind: `refused.${token.type}`,
    text: `${who}: ${refused.message}${advice}`,
    token,
    // A person's call may be about another organization of theirs than the one that it acts in.
    organizationId: refused.organizationId ?? actor.organizationId,
    address,
  });
}
