import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Invitation, OrganizationServiceCreateInvitationResponse } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { useHere, useOrganization } from "../../data/organization.ts";
import { invitationsQuery, membersQuery } from "../../data/queries.ts";
import { useOpened } from "../../data/use-opened.ts";
import { plural } from "../../format.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { InviteDialog } from "./members/invite-dialog.tsx";
import { InvitationOnce } from "./members/invitation-once.tsx";
import { MemberDialogs, type MemberDeed } from "./members/member-dialogs.tsx";
import { MemberPanel } from "./members/member-panel.tsx";
import { toMemberRows } from "./members/member-rows.ts";
import { MemberTable } from "./members/member-table.tsx";
import { SigningIn } from "./members/signing-in.tsx";
import { WithSide } from "./side-panel.tsx";
import { useSettingsCrumbs } from "./use-settings-crumbs.ts";
import "../../styles/settings-screens.css";

export function MembersScreen() {
  const { name: organization, isOwner } = useOrganization();
  const { state } = useHere();
  const members = useQuery(membersQuery(organization));
  const invitations = useQuery({ ...invitationsQuery(organization), enabled: isOwner });
  const dialog = useOpened("new");
  const row = useOpened("row");
  const deed = useOpened("do");
  const { open } = dialog;
  const actions = useMemo<PageAction[]>(
    () => (isOwner ? [{ label: "Invite", icon: "userPlus", shortcut: "N", run: () => open("1") }] : []),
    [isOwner, open],
  );
  // Both together: a late second list must not move the rows.
  const isWhole = !isOwner || !invitations.isPending;
  const rows = useMemo(
    () => (members.data && isWhole ? toMemberRows(members.data, invitations.data ?? []) : undefined),
    [members.data, invitations.data, isWhole],
  );
  const current = rows?.find(({ key }) => key === row.value);
  const { made, forget, invite, sendAgain } = useInvite();
  const table = (
    <MemberTable
      rows={rows}
      source={members}
      currentKey={row.value ?? undefined}
      onOpen={({ key }) => row.open(key)}
      onDeed={(name: MemberDeed, key) => deed.open(name, { row: key })}
      onSendAgain={sendAgain}
    />
  );
  return (
    <Page title="Members" above={useSettingsCrumbs()} actions={actions}>
      <Head
        title="Members"
        lead={
          `${members.data ? plural(members.data.length, "person") : "People"} in ${organization}. ` +
          "Owners also invite, change trust relationships, and delete projects."
        }
        actions={isOwner && <InviteButton onPress={() => open("1")} />}
      />
      {made && <InvitationOnce made={made} isMailed={state.methods.mail} onDone={forget} />}
      {invitations.error && (
        <p className="note bad" role="alert">
          Invitations cannot be read. {invitations.error.message}
        </p>
      )}
      <WithSide side={current && deed.value === null && <MemberPanel row={current} onClose={row.close} />}>
        {table}
      </WithSide>
      {rows && <SigningIn />}
      {dialog.value !== null && isOwner && <InviteDialog onInvite={invite} onClose={dialog.close} />}
      <MemberDialogs deed={deed.value} row={current} members={members.data ?? []} onClose={deed.close} />
    </Page>
  );
}

function InviteButton({ onPress }: { onPress: () => void }) {
  return (
    <button className="btn action" type="button" aria-keyshortcuts="N" onClick={onPress}>
      <Icon name="userPlus" />
      Invite<kbd>N</kbd>
    </button>
  );
}

/** The new invitation is stored only here: leaving the screen forgets the link. */
function useInvite() {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const [made, setMade] = useState<OrganizationServiceCreateInvitationResponse | null>(null);
  const invite = async (mail: string, role: string, key: string) => {
    const request = { organization, role, ...(mail !== "" && { mail }) };
    setMade(
      await call("OrganizationService/CreateInvitation", request, { organization, idempotencyKey: key }),
    );
    await client.invalidateQueries({ queryKey: ["invitations", organization] });
  };
  /** The server never shows a link again: a new one replaces it. */
  const sendAgain = async ({ id, mail, role }: Invitation, key: string) => {
    await invite(mail, role, key);
    await call("OrganizationService/RevokeInvitation", { invitation_id: id }, { organization });
    await client.invalidateQueries({ queryKey: ["invitations", organization] });
  };
  return { made, forget: () => setMade(null), invite, sendAgain };
}
