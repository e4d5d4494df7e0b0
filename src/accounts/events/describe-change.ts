/** An audited change as a sentence for readers of the event stream, without its author, who is shown next to it. */
import type { AuditEntry } from "../contract/audit.ts";
import { cutText } from "./cut-text.ts";

const TOKEN_TYPES: Readonly<Record<string, string>> = {
  user: "token",
  org: "organization token",
  project: "project token",
  job: "job token",
};

const tokenOf = ({ details, target }: AuditEntry) =>
  `${TOKEN_TYPES[details?.["type"] ?? ""] ?? "token"} ${target}`;

const SENTENCES: Readonly<Record<string, (entry: AuditEntry) => string>> = {
  "organization.create": ({ target }) => `organization ${target} created`,
  "organization.update": ({ target }) => `organization ${target} changed`,
  "organization.delete": ({ target }) => `organization ${target} deleted`,
  "member.update": ({ target, details }) =>
    `${target} is now ${details?.["role"] === "owner" ? "an owner" : "a member"}`,
  "member.remove": ({ target }) => `${target} is no longer a member`,
  "invitation.create": ({ target }) => `${target} invited`,
  "invitation.revoke": ({ target }) => `invitation of ${target} revoked`,
  "invitation.accept": ({ target }) => `${target} joined`,
  "project.create": ({ target }) => `project ${target} created`,
  "project.update": ({ target }) => `settings of project ${target} changed`,
  "project.trust": ({ target }) => `trust relationships of project ${target} changed`,
  "project.spoiled": ({ target }) =>
    `layer cache of project ${target} reset because its files had lost their modes`,
  "project.delete": ({ target }) => `project ${target} deleted`,
  "token.create": (entry) => `${tokenOf(entry)} created`,
  "token.revoke": (entry) => `${tokenOf(entry)} revoked`,
  "token.restore": (entry) => `${tokenOf(entry)} restored`,
  "token.refuse": ({ target, details }) =>
    `a job of ${target} was refused: ${details?.["because"] ?? ""}${
      details?.["differs"] ? ` Compare the job's claims with the trust relationships of ${target}.` : ""
    }`,
  "cache.reset": ({ target }) => `cache of ${target} reset`,
  "cache.purge": ({ target }) => `cache entries written by ${target} purged`,
  "mirror.login": ({ target }) => `credentials for ${target} set`,
  "mirror.logout": ({ target }) => `credentials for ${target} deleted`,
  "user.update": ({ target }) => `profile of ${target} changed`,
  "passkey.create": ({ target }) => `passkey ${target} added`,
  "two-step.on": ({ target }) => `two-step sign-in of ${target} turned on`,
  "two-step.codes": ({ target }) => `new recovery codes for ${target}`,
  "two-step.recovery": ({ target, details }) =>
    `a recovery code of ${target} used; ${details?.["left"] ?? "0"} left`,
  "two-step.refuse": ({ target }) =>
    `a wrong code was entered for ${target}; if that was not them, someone else can do their first step of signing in`,
  "two-step.off": ({ target }) => `two-step sign-in of ${target} turned off`,
  "passkey.delete": ({ target }) => `passkey ${target} deleted`,
  "identity.create": ({ target }) => `sign-in of ${target} connected`,
  "device.approve": ({ target, targetId }) => `device code ${targetId} approved for the ${target}`,
  "device.deny": ({ target }) =>
    `a login of the ${target} was denied and no token was created; run the login again if it was yours`,
};

/** Changes that refuse something. */
const REFUSALS: ReadonlySet<string> = new Set(["device.deny", "token.refuse", "two-step.refuse"]);

export function describeChange(entry: AuditEntry): {
  text: string;
  isRefused: boolean;
  projectId: string | null;
} {
  const describe =
    SENTENCES[entry.action] ?? (({ action, target }) => `${action.replace(".", " ")}: ${target}`);
  const { targetId, details } = entry;
  return {
    text: cutText(describe(entry)),
    isRefused: REFUSALS.has(entry.action),
    projectId: targetId.startsWith("prj_") ? targetId : (details?.["project_id"] ?? null),
  };
}
