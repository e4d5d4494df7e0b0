/** A line of the audit log as half a sentence; who did it stands before it. */
import type { AuditEvent } from "#api/gen/json-types.ts";

const NOUNS: Readonly<Record<string, string>> = {
  organization: "the organization",
  project: "the project",
  token: "the token",
  passkey: "the passkey",
  identity: "the sign-in of",
  user: "the profile of",
  member: "",
  invitation: "",
};

const VERBS: Readonly<Record<string, string>> = {
  create: "created",
  update: "changed",
  delete: "deleted",
  revoke: "revoked",
  restore: "restored",
};

const WHOLE: Readonly<Record<string, (event: AuditEvent) => string>> = {
  "member.update": ({ target, details }) =>
    `made ${target} ${details["role"] === "owner" ? "an owner" : "a member"}`,
  "member.remove": ({ target }) => `removed ${target}`,
  "invitation.create": ({ target }) => `invited ${target}`,
  "invitation.revoke": ({ target }) => `revoked the invitation of ${target}`,
  "invitation.accept": () => "joined",
  "project.trust": ({ target }) => `changed the trust relationships of ${target}`,
  "token.refuse": ({ target }) => `was refused a token of ${target}`,
  "passkey.create": ({ target }) => `added the passkey ${target}`,
  "identity.create": ({ target }) => `connected the sign-in of ${target}`,
  "mail.verify": () => "proved a mail address",
  "sign-in.create": () => "signed in",
  "sign-in.end": () => "signed out",
  "device.approve": ({ target }) => `let the ${target} log in`,
  "device.deny": ({ target }) => `refused the ${target} a login`,
};

export function describeAuditEvent(event: AuditEvent): string {
  const whole = WHOLE[event.action];
  if (whole) return whole(event);
  const [noun = "", verb = ""] = event.action.split(".");
  // An action that is newer than this page: its own name is still true.
  if (NOUNS[noun] === undefined || VERBS[verb] === undefined) return `${event.action} ${event.target}`.trim();
  return [VERBS[verb], NOUNS[noun], event.target].filter(Boolean).join(" ");
}
