/** Turns a refused call into its report. Called only when something is refused. */
import type { Accounts } from "../contract/accounts.ts";
import type { Actor } from "../contract/actor.ts";
import { tokenOf } from "./identify.ts";
import type { Refused, ShownToken } from "../contract/refused.ts";

export interface RefusedCall {
  refused: Refused;
  /** Null: not known yet. */
  actor: Actor | null;
  /** The token as it was shown; only its kind is kept. Undefined: none, or a browser. */
  shown?: string | undefined;
  address: string;
  /** The endpoint, where that helps: `/cache/gradle/`. Shown before the sentence, with the status. */
  at?: string;
}

const KINDS: Readonly<Record<ShownToken["type"], string>> = {
  user: "user token",
  org: "organization token",
  project: "project token",
  job: "job token",
};
const PREFIX = /^mr_(?:user|org|prj|job)_/;

export function reportRefusal(accounts: Accounts, call: RefusedCall): void {
  const { refused, actor, shown, address, at } = call;
  if (refused.code === "permission_denied" && actor)
    return reportDenied(accounts, { refused, actor, address, ...(at && { at }) });
  if (refused.code !== "unauthenticated") return;
  if (!shown) return reportNothingShown(accounts, { address, at });
  const { token, message } = refused;
  if (token)
    return accounts.refusalReports.add({
      kind: `refused.${token.type}`,
      text: `${prefixOf(401, at)}${KINDS[token.type]} ${token.name}: ${message}; create a new one`,
      token,
      address,
    });
  const prefix = PREFIX.exec(shown)?.[0];
  accounts.refusalReports.add({
    kind: "refused.unknown",
    text: `${prefixOf(401, at)}a token${prefix ? ` ${prefix}…` : ""} that this server does not know: ${message}; log in again or create a new one`,
    token: null,
    address,
  });
}

const prefixOf = (status: number, at: string | undefined) => (at ? `${status} ${at} ` : "");

/** Browsers and robots send no token all day; a build tool at its own endpoint was set up by a person. */
function reportNothingShown(
  accounts: Accounts,
  { address, at }: { address: string; at: string | undefined },
): void {
  if (!at) return;
  accounts.refusalReports.add({
    kind: "refused.none",
    text: `${prefixOf(401, at)}no token: send one as a Bearer token, or as the password with any user name`,
    token: null,
    address,
  });
}

function reportDenied(
  accounts: Accounts,
  { refused, actor, address, at }: Pick<RefusedCall, "refused" | "address" | "at"> & { actor: Actor },
): void {
  const token = tokenOf(actor);
  const advice = refused.advice ? `; ${refused.advice}` : "";
  // A page does not offer what its reader may not do, and reports a refusal itself when that has just changed.
  if (!token) return;
  const who = actor.kind === "user" ? `${actor.name}'s token` : `${KINDS[token.type]} ${token.name}`;
  accounts.refusalReports.add({
    kind: `refused.${token.type}`,
    text: `${prefixOf(403, at)}${who}: ${refused.message}${advice}`,
    token,
    // The call may concern another of the person's organizations than the one that it acts in.
    organizationId: refused.organizationId ?? actor.organizationId,
    address,
  });
}
