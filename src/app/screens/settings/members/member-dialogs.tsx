import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { Member } from "#api/gen/json-types.ts";
import { call } from "../../../data/call.ts";
import { useHere, useOrganization } from "../../../data/organization.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { isLastOwner, type MemberRow } from "./member-rows.ts";

const DEEDS = ["owner", "member", "two-step", "remove", "revoke"] as const;
/** Values of `?do=`, used together with `?row=`. */
export type MemberDeed = (typeof DEEDS)[number];

interface Props {
  deed: string | null;
  row: MemberRow | undefined;
  members: readonly Member[];
  onClose: () => void;
}

/** Asks before an action on the row that the address names. */
export function MemberDialogs({ deed, row, members, onClose }: Props) {
  const { isOwner } = useOrganization();
  const { user } = useHere();
  if (!row) return null;
  if (row.kind === "invitation")
    return deed === "revoke" && isOwner ? <Revoke id={row.key} name={row.name} onClose={onClose} /> : null;
  const { member } = row;
  const isSelf = member.user_id === user.id;
  if (deed === "owner" && isOwner) return <ChangeRole member={member} to="owner" onClose={onClose} />;
  if (deed === "two-step")
    return isOwner && !isSelf ? <TurnOffTwoStep member={member} onClose={onClose} /> : null;
  if ((deed !== "member" && deed !== "remove") || !(isOwner || isSelf)) return null;
  if (isLastOwner(member, members)) return <LastOwner member={member} onClose={onClose} />;
  if (deed === "remove") return <Remove member={member} isSelf={isSelf} onClose={onClose} />;
  return isOwner ? <ChangeRole member={member} to="member" onClose={onClose} /> : null;
}

interface MemberProps {
  member: Member;
  onClose: () => void;
}

/** Why the last owner can neither leave nor become a member. */
function LastOwner({ member, onClose }: MemberProps) {
  const { name: organization } = useOrganization();
  return (
    <Dialog
      title={
        <>
          <bdi>{member.name}</bdi> is the only owner of {organization}
        </>
      }
      onClose={onClose}
      footer={
        <button className="btn action" type="button" onClick={onClose}>
          Close
        </button>
      }
    >
      <p>
        Without an owner, no one could invite people or make someone an owner. Make another member an owner
        first.
      </p>
    </Dialog>
  );
}

function ChangeRole({ member, to: role, onClose }: MemberProps & { to: "owner" | "member" }) {
  const { name: organization } = useOrganization();
  const { user } = useHere();
  const client = useQueryClient();
  const isSelf = member.user_id === user.id;
  const change = async () => {
    await call(
      "OrganizationService/UpdateMember",
      { organization, user_id: member.user_id, role },
      { organization },
    );
    await client.invalidateQueries({ queryKey: ["members", organization] });
    if (isSelf) await client.invalidateQueries({ queryKey: ["organizations"] });
  };
  return (
    <ConfirmDialog
      title={
        <>
          Make <bdi>{member.name}</bdi> {role === "owner" ? "an owner" : "a member"}?
        </>
      }
      confirm={role === "owner" ? "Make owner" : "Make member"}
      cancel="Keep the role"
      onConfirm={change}
      onClose={onClose}
    >
      <p>
        {role === "owner"
          ? `Owners of ${organization} invite and remove people, create organization tokens, change trust relationships, read the audit log, and delete projects.`
          : `Invitations, organization tokens, trust relationships, the audit log and deleting projects stay with the other owners of ${organization}.`}
        {isSelf && role === "member" && " You cannot take this back yourself."}
      </p>
    </ConfirmDialog>
  );
}

/** For a member who has lost the second step. Removes the app and the recovery codes; passkeys stay. */
function TurnOffTwoStep({ member, onClose }: MemberProps) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const turnOff = async () => {
    await call(
      "OrganizationService/TurnOffTwoStep",
      { organization, user_id: member.user_id },
      { organization },
    );
    await client.invalidateQueries({ queryKey: ["members", organization] });
  };
  return (
    <ConfirmDialog
      title={
        <>
          Turn off two-step sign-in of <bdi>{member.name}</bdi>?
        </>
      }
      confirm="Turn it off"
      cancel="Keep it on"
      onConfirm={turnOff}
      onClose={onClose}
    >
      <p>
        One step is then enough to sign in as them, in each of their organizations. Their app is forgotten and
        their recovery codes stop working. Their passkeys stay. Do this only if you are sure that they asked
        you to: call them.
      </p>
    </ConfirmDialog>
  );
}

function Remove({ member, isSelf, onClose }: MemberProps & { isSelf: boolean }) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await call(
      "OrganizationService/RemoveMember",
      { organization, user_id: member.user_id },
      { organization },
    );
    if (isSelf) {
      await client.invalidateQueries({ queryKey: ["organizations"] });
      void navigate("/app", { replace: true });
    } else await client.invalidateQueries({ queryKey: ["members", organization] });
  };
  return (
    <ConfirmDialog
      title={
        isSelf ? (
          `Leave ${organization}?`
        ) : (
          <>
            Remove <bdi>{member.name}</bdi> from {organization}?
          </>
        )
      }
      confirm={isSelf ? `Leave ${organization}` : "Remove"}
      cancel={isSelf ? "Stay" : "Keep"}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {isSelf ? "Your own tokens lose" : "Their own tokens lose"} access to this organization immediately.
        Tokens of {organization} and its projects stay as they are. Coming back needs a new invitation.
      </p>
    </ConfirmDialog>
  );
}

function Revoke({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const revoke = async () => {
    await call("OrganizationService/RevokeInvitation", { invitation_id: id }, { organization });
    await client.invalidateQueries({ queryKey: ["invitations", organization] });
  };
  return (
    <ConfirmDialog
      title={
        <>
          Revoke the invitation of <bdi>{name}</bdi>?
        </>
      }
      confirm="Revoke the invitation"
      cancel="Keep it"
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>Its link stops working at once. You can invite the same person again.</p>
    </ConfirmDialog>
  );
}
