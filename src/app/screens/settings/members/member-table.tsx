import { useMemo, useState } from "react";
import type { Invitation } from "#api/gen/json-types.ts";
import { useHere, useOrganization } from "../../../data/organization.ts";
import { createIdempotencyKeys } from "../../../data/idempotency-key.ts";
import { useMinute } from "../../../ui/use-minute.ts";
import { useAction } from "../../../data/use-action.ts";
import { Ago } from "../../../ui/ago.tsx";
import { Avatar } from "../../../ui/avatar.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, type MenuItem } from "../../../ui/menu.tsx";
import { Status } from "../../../ui/status.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { TableColumn, TableSource } from "../../../ui/table/table-types.ts";
import { showToast } from "../../../ui/toast.ts";
import type { MemberDeed } from "./member-dialogs.tsx";
import {
  countRows,
  describeInvitationEnd,
  describeMethods,
  describeTwoStep,
  type MemberRow,
  nameRole,
  textOfRow,
} from "./member-rows.ts";

interface Props {
  rows: readonly MemberRow[] | undefined;
  source: Pick<TableSource<unknown>, "error" | "dataUpdatedAt" | "refetch">;
  currentKey: string | undefined;
  onOpen: (row: MemberRow) => void;
  onDeed: (deed: MemberDeed, key: string) => void;
  onSendAgain: (invitation: Invitation, key: string) => Promise<void>;
}

const ORDER = { key: "name", isDescending: false };

export function MemberTable({ rows, source, currentKey, onOpen, onDeed, onSendAgain }: Props) {
  const { name: organization, isOwner } = useOrganization();
  const { user } = useHere();
  const columns = useColumns(isOwner);
  const itemsOf = (row: MemberRow): MenuItem[] => {
    if (row.kind === "invitation") return isOwner ? [deedItem("revoke", "Revoke the invitation…", true)] : [];
    const isSelf = row.key === user.id;
    const role: MenuItem =
      row.member.role === "owner" ? deedItem("member", "Make member…") : deedItem("owner", "Make owner…");
    const leave = deedItem("remove", isSelf ? `Leave ${organization}…` : "Remove…", true);
    const twoStep =
      isOwner && !isSelf && row.member.two_step
        ? [deedItem("two-step", "Turn off two-step sign-in…", true)]
        : [];
    return [...(isOwner ? [role] : []), ...twoStep, ...(isOwner || isSelf ? [leave] : [])];
  };
  return (
    <DataTable
      name="Members"
      unit="person"
      countOf={countRows}
      source={{ ...source, data: rows }}
      columns={columns}
      keyOf={({ key }) => key}
      textOf={textOfRow}
      searchLabel="Name, address or role"
      order={ORDER}
      currentKey={currentKey}
      onOpen={onOpen}
      // oxlint-disable-next-line react/no-unstable-nested-components -- called for each row, mounted nowhere
      actions={(row) => {
        const items = itemsOf(row).map((item) => ({
          ...item,
          run: () => onDeed(item.key as MemberDeed, row.key),
        }));
        return (
          <span className="row row-actions">
            {row.kind === "invitation" && isOwner && (
              <SendAgain invitation={row.invitation} onSendAgain={onSendAgain} />
            )}
            {items.length > 0 && (
              <Menu label={`Actions for ${row.name}`} className="icon-button small" items={items}>
                <Icon name="ellipsis" />
              </Menu>
            )}
          </span>
        );
      }}
      empty={
        <EmptyState title="No members">
          <p>An owner of this server can make a link with npm start -- owner-link.</p>
        </EmptyState>
      }
    />
  );
}

const deedItem = (key: MemberDeed, label: string, isDanger = false): MenuItem => ({ key, label, isDanger });

function useColumns(isOwner: boolean): readonly TableColumn<MemberRow>[] {
  const { methods } = useHere().state;
  const now = useMinute();
  return useMemo(() => {
    const methodsOf = (row: MemberRow) =>
      row.kind === "member"
        ? describeMethods(row.member.sign_in_methods, methods)
        : describeInvitationEnd(row.invitation.expires_at, now);
    const signsIn: TableColumn<MemberRow> = {
      key: "methods",
      label: "Signs in with",
      isMinor: true,
      render: (row) => <span className="muted">{methodsOf(row) || "nothing yet"}</span>,
      value: methodsOf,
    };
    const twoStep: TableColumn<MemberRow> = {
      key: "two-step",
      label: "Two-step",
      isMinor: true,
      render: (row) => <span className="muted">{describeTwoStep(row)}</span>,
      value: describeTwoStep,
    };
    return [
      {
        key: "name",
        label: "Person",
        isMain: true,
        render: (row) => <Name row={row} />,
        value: ({ name }) => name,
        // Invitations are below the members, in both sort directions.
        rank: ({ kind, name }) => (kind === "member" ? name : null),
      },
      { key: "role", label: "Role", render: renderRole, value: (row) => roleOf(row) },
      ...(isOwner ? [signsIn, twoStep] : []),
      {
        key: "seen",
        label: "Last seen",
        isNumber: true,
        render: (row) => <Ago at={timeOf(row)} />,
        value: (row) => timeOf(row) ?? null,
      },
    ];
  }, [isOwner, methods, now]);
}

const timeOf = (row: MemberRow) =>
  row.kind === "member" ? row.member.last_seen_at : row.invitation.created_at;

const roleOf = (row: MemberRow) =>
  row.kind === "member" ? nameRole(row.member.role) : `Invited as ${row.invitation.role}`;

const renderRole = (row: MemberRow) =>
  row.kind === "member" ? roleOf(row) : <Status state="queued" word={roleOf(row)} />;

function Name({ row }: { row: MemberRow }) {
  return (
    <span className="row gap12">
      {row.kind === "member" ? (
        <Avatar name={row.name} isLarge />
      ) : (
        <span className="avatar large" aria-hidden="true">
          <Icon name="mail" className="small" />
        </span>
      )}
      <bdi className="clip" title={row.name}>
        {row.name}
      </bdi>
      {row.kind === "member" && row.member.mail !== "" && (
        <bdi className="secondary clip narrow-hidden" title={row.member.mail}>
          {row.member.mail}
        </bdi>
      )}
    </span>
  );
}

function SendAgain({ invitation, onSendAgain }: { invitation: Invitation } & Pick<Props, "onSendAgain">) {
  const { isBusy, run } = useAction();
  const [keys] = useState(createIdempotencyKeys);
  const { methods } = useHere().state;
  const isMailed = methods.mail && invitation.mail !== "";
  const send = async () => {
    await run(() =>
      onSendAgain(invitation, keys.of(invitation.id)).catch((error: unknown) => {
        showToast({ text: error instanceof Error ? error.message : String(error), isFailure: true });
      }),
    );
  };
  return (
    <button
      className="btn"
      type="button"
      aria-busy={isBusy}
      aria-label={`${isMailed ? "Send again" : "New link"} for ${invitation.mail || "anyone with the link"}`}
      onClick={() => void send()}
    >
      {isMailed ? "Send again" : "New link"}
    </button>
  );
}
