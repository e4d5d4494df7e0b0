import { Ago } from "../../../ui/ago.tsx";
import { CopyIconButton } from "../../../ui/copy-icon-button.tsx";
import { useHere, useOrganization } from "../../../data/organization.ts";
import { useMinute } from "../../../ui/use-minute.ts";
import { Facts, SidePanel } from "../side-panel.tsx";
import {
  describeInvitationEnd,
  describeMethods,
  describeTwoStep,
  type MemberRow,
  nameRole,
} from "./member-rows.ts";

export function MemberPanel({ row, onClose }: { row: MemberRow; onClose: () => void }) {
  const { state, user } = useHere();
  const { isOwner } = useOrganization();
  const now = useMinute();
  const id = (
    <span className="row">
      <span className="mono">{row.key}</span>
      <CopyIconButton text={row.key} label="Copy the id" />
    </span>
  );
  if (row.kind === "invitation") {
    const { role, invited_by, created_at, expires_at } = row.invitation;
    return (
      <SidePanel title={<bdi>{row.name}</bdi>} onClose={onClose}>
        <Facts
          facts={[
            ["Invited as", nameRole(role)],
            ["Invited by", <bdi key="by">{invited_by}</bdi>],
            ["Invited", <Ago key="at" at={created_at} />],
            ["Link", describeInvitationEnd(expires_at, now)],
            ["Id", id],
          ]}
        />
      </SidePanel>
    );
  }
  const { member } = row;
  const isSelf = member.user_id === user.id;
  return (
    <SidePanel title={<bdi>{row.name}</bdi>} onClose={onClose}>
      <Facts
        facts={[
          ["Mail", <bdi key="mail">{member.mail || "none"}</bdi>],
          ["Role", nameRole(member.role)],
          ...(isOwner || isSelf
            ? [
                [
                  "Signs in with",
                  describeMethods(member.sign_in_methods, state.methods) || "nothing yet",
                ] as const,
                ["Two-step sign-in", describeTwoStep(row)] as const,
              ]
            : []),
          ["Joined", <Ago key="joined" at={member.created_at} />],
          ["Last seen", <Ago key="seen" at={member.last_seen_at} />],
          ["Id", id],
        ]}
      />
    </SidePanel>
  );
}
