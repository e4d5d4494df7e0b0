/** The audit log's lines in words: actions and their targets. */
import type { AuditEvent } from "#api/gen/json-types.ts";

export type ActionTone = "plain" | "failed" | "deleted";

interface ActionWords {
  did: string;
  tone?: ActionTone;
}

/** Every action that the server records; a test compares them with its code. */
const ACTIONS: { readonly [action: string]: ActionWords } = {
  "cache.purge": { did: "purged from the cache", tone: "deleted" },
  "cache.reset": { did: "reset the cache", tone: "deleted" },
  "device.approve": { did: "logged a machine in" },
  "device.deny": { did: "refused a machine's login", tone: "failed" },
  "identity.create": { did: "linked an identity" },
  "invitation.accept": { did: "accepted invitation" },
  "invitation.create": { did: "invited member" },
  "invitation.revoke": { did: "revoked invitation", tone: "deleted" },
  "mail.verify": { did: "verified a mail address" },
  "member.remove": { did: "removed member", tone: "deleted" },
  "member.update": { did: "changed role" },
  "mirror.login": { did: "set the credentials for" },
  "mirror.logout": { did: "deleted the credentials for", tone: "deleted" },
  "organization.create": { did: "created organization" },
  "organization.delete": { did: "deleted organization", tone: "deleted" },
  "organization.update": { did: "renamed organization" },
  "passkey.create": { did: "added passkey" },
  "passkey.delete": { did: "deleted passkey", tone: "deleted" },
  "project.create": { did: "created project" },
  "project.delete": { did: "deleted project", tone: "deleted" },
  "project.spoiled": { did: "reset the spoiled layer cache of", tone: "failed" },
  "project.trust": { did: "changed trust relationships" },
  "project.update": { did: "changed project" },
  "sign-in.confirm": { did: "confirmed that it was them" },
  "sign-in.create": { did: "signed in" },
  "sign-in.end": { did: "signed a browser out" },
  "token.create": { did: "created token" },
  "token.refuse": { did: "was refused a token", tone: "failed" },
  "token.restore": { did: "restored token" },
  "token.revoke": { did: "revoked token", tone: "deleted" },
  "two-step.codes": { did: "made new recovery codes" },
  "two-step.off": { did: "turned off two-step sign-in of", tone: "deleted" },
  "two-step.on": { did: "turned on two-step sign-in" },
  "two-step.recovery": { did: "used a recovery code" },
  "two-step.refuse": { did: "entered a wrong code", tone: "failed" },
  "user.update": { did: "changed their account" },
};

/** For the filter, in the simple order of their plain words: the language's own order takes long to load. */
export const ACTION_OPTIONS: readonly { value: string; label: string }[] = Object.entries(ACTIONS)
  .map(([value, { did }]) => ({ value, label: did }))
  .toSorted((one, other) => (one.label < other.label ? -1 : Number(one.label > other.label)));

/** An action unknown to this version is shown as the server wrote it. */
export function describeAction({
  action,
  details,
}: Pick<AuditEvent, "action" | "details">): Required<ActionWords> {
  const { did, tone = "plain" } = Object.hasOwn(ACTIONS, action) ? ACTIONS[action]! : { did: action };
  if (action === "token.create" && details["type"] === "job") return { did: "exchanged OIDC token", tone };
  return { did, tone };
}

type Details = Readonly<Record<string, string>>;

/** "ruth, member → owner", "github:acme/web, mr_job_". */
export function describeTarget({ action, target, details }: AuditEvent): string {
  const extra = extraOf(action, details);
  return extra === "" ? target : `${target}, ${extra}`;
}

function extraOf(action: string, details: Details): string {
  const get = (name: string) => details[name] ?? "";
  switch (action) {
    case "member.update":
      return `${get("former")} → ${get("role")}`;
    case "member.remove":
    case "invitation.create":
    case "invitation.accept":
      return get("role");
    case "organization.update":
      return get("former") && `before ${get("former")}`;
    case "token.create":
    case "token.revoke":
    case "token.restore":
      return describeToken(get("type"), get("read_only"));
    case "token.refuse":
      return get("because");
    case "project.spoiled":
      return get("images") && `used for ${get("images")}`;
    case "mirror.login":
      return get("username") && `as ${get("username")}`;
    case "project.update":
      return Object.entries(details)
        .map(
          ([name, value]) =>
            `${name.replaceAll("_", " ")} ${name === "immutable_tags" ? patternsOf(value) : value}`,
        )
        .join(", ");
    case "project.trust":
      return get("issuers") === "" ? "none left" : get("issuers").split(" ").map(hostOf).join(", ");
    default:
      return "";
  }
}

/** "2026.* v*": the log has them in the database's form. */
function patternsOf(value: string): string {
  if (!value.startsWith("[")) return "none";
  return value.slice(1, -1).replaceAll('"', "").replaceAll(",", " ");
}

const PREFIXES: { readonly [type: string]: string } = {
  user: "mr_user_",
  org: "mr_org_",
  project: "mr_prj_",
  job: "mr_job_",
};

const describeToken = (type: string, readOnly: string) =>
  [PREFIXES[type] ?? type, readOnly === "true" ? "read-only" : ""].filter(Boolean).join(", ");

/** "gitlab.com"; anything but an address stays unchanged. */
const hostOf = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer);

/** The means of the action, as far as the actor's id reveals them. */
export function describeMeans({ actor_id, details }: Pick<AuditEvent, "actor_id" | "details">): string {
  if (URL.canParse(actor_id)) return `job at ${hostOf(actor_id)}`;
  if (actor_id.startsWith("tok_")) return "organization token";
  if (actor_id.startsWith("usr_")) return details["client"] ?? details["method"] ?? "";
  return actor_id === "" ? "the server" : "";
}
