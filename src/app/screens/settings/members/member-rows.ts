/** Members and invitations as the rows of one list. */
import type { Invitation, Member } from "#api/gen/json-types.ts";
import { plural } from "../../../format.ts";
import type { AuthState } from "../../../data/answers.ts";

export type MemberRow =
  | { kind: "member"; key: string; name: string; member: Member }
  | { kind: "invitation"; key: string; name: string; invitation: Invitation };

export function toMemberRows(members: readonly Member[], invitations: readonly Invitation[]): MemberRow[] {
  return [
    ...members.map((member) => ({ kind: "member" as const, key: member.user_id, name: member.name, member })),
    ...invitations.map((invitation) => ({
      kind: "invitation" as const,
      key: invitation.id,
      name: invitation.mail || "Anyone with the link",
      invitation,
    })),
  ];
}

/** "5 members, 1 invitation". */
export function countRows(rows: readonly MemberRow[]): string {
  const members = rows.filter(({ kind }) => kind === "member").length;
  const invited = rows.length - members;
  return [plural(members, "member"), ...(invited > 0 ? [plural(invited, "invitation")] : [])].join(", ");
}

/** Text for the search. */
export const textOfRow = (row: MemberRow): string =>
  row.kind === "member"
    ? `${row.name} ${row.member.mail} ${row.member.role} ${row.key}`
    : `${row.name} ${row.invitation.role} ${row.invitation.invited_by} ${row.key}`;

const METHOD_WORDS: { [method: string]: string } = {
  passkey: "Passkey",
  github: "GitHub",
  mail: "Link by mail",
};

/** "Passkey, Google". */
export const describeMethods = (methods: readonly string[], { oidc }: AuthState["methods"]): string =>
  methods.map((method) => METHOD_WORDS[method] ?? (method === "oidc" ? (oidc ?? "OIDC") : method)).join(", ");

/** Empty for invitations. */
export const describeTwoStep = (row: MemberRow): string =>
  row.kind === "member" ? (row.member.two_step ? "On" : "Off") : "";

export const nameRole = (role: string): string => (role === "owner" ? "Owner" : "Member");

/** No one else could make owners: that person keeps the role. */
export function isLastOwner(member: Member, members: readonly Member[]): boolean {
  return member.role === "owner" && members.every((each) => each.role !== "owner" || each === member);
}

const DAY_MS = 86_400_000;

/** "valid for 6 more days", "valid until today", "over". */
export function describeInvitationEnd(expiresAt: string | undefined, now: number): string {
  const left = Date.parse(expiresAt ?? "") - now;
  if (!(left > 0)) return "the link has expired";
  const days = Math.floor(left / DAY_MS);
  if (days === 0) return "link valid for less than a day";
  return `link valid for ${days} more ${days === 1 ? "day" : "days"}`;
}
