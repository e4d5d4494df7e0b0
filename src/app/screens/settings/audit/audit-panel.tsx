import type { ReactNode } from "react";
import { Link } from "react-router";
import type { AuditEvent } from "#api/gen/json-types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { addressOf } from "../../../page/places.ts";
import { CopyIconButton } from "../../../ui/copy-icon-button.tsx";
import { Facts, SidePanel } from "../side-panel.tsx";
import { describeMeans, describeTarget } from "./action-words.ts";
import { DidWords } from "./did-words.tsx";
import { formatEventTime } from "./event-time.ts";

/** All logged details of one change. */
export function AuditPanel({ event, onClose }: { event: AuditEvent; onClose: () => void }) {
  const { name: organization } = useOrganization();
  const to = (query: string) => `${addressOf(organization, "settings/audit")}?${query}`;
  const { id, time, actor, actor_id: actorId, action, target_id: targetId, address, details } = event;
  const facts: [string, ReactNode][] = [
    ["Time", <time key="time" dateTime={time}>{`${formatEventTime(time, new Date(0))}`}</time>],
    ["Who", <bdi key="who">{actor || "the server"}</bdi>],
    ...(describeMeans(event) === "" ? [] : [["With", describeMeans(event)] as [string, ReactNode]]),
    ["Their id", <Id key="actor" id={actorId} />],
    ["Did", <DidWords key="did" event={event} />],
    ["To what", <bdi key="what">{describeTarget(event)}</bdi>],
    ["Its id", <Id key="target" id={targetId} />],
    [
      "From",
      <span key="from" className="mono">
        {address}
      </span>,
    ],
    ...Object.entries(details).map(([name, value]): [string, ReactNode] => [
      name.replaceAll("_", " "),
      <bdi key={name}>{value}</bdi>,
    ]),
    ["Action", <code key="action">{action}</code>],
    ["Line", <Id key="id" id={id} />],
  ];
  return (
    <SidePanel title={<DidWords event={event} />} onClose={onClose}>
      <Facts facts={facts} />
      <div className="row wrap">
        {actorId !== "" && (
          <Link className="btn" to={to(`person=${encodeURIComponent(actorId)}`)}>
            All of theirs
          </Link>
        )}
        <Link className="btn" to={to(`action=${encodeURIComponent(action)}`)}>
          All of this kind
        </Link>
      </div>
    </SidePanel>
  );
}

function Id({ id }: { id: string }) {
  if (id === "") return <span className="subtle">none</span>;
  return (
    <span className="row">
      <span className="mono clip" title={id}>
        {id}
      </span>
      <CopyIconButton text={id} label={`Copy ${id}`} />
    </span>
  );
}
