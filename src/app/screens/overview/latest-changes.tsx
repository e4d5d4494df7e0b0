import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { addressOf } from "../../page/places.ts";
import { Ago } from "../../ui/ago.tsx";
import { Person } from "../../ui/avatar.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { describeTarget } from "../settings/audit/action-words.ts";
import { DidWords } from "../settings/audit/did-words.tsx";
import { latestChangesQuery } from "./latest-changes-query.ts";

/** For owners: the last lines of the audit log. */
export function LatestChanges() {
  const { name } = useOrganization();
  const { data: events, error, refetch } = useQuery(latestChangesQuery(name));
  const log = addressOf(name, "settings/audit");
  return (
    <section className="section" aria-label="Latest changes">
      <div className="section-header">
        <h2>Latest changes</h2>
        <Link className="end link" to={log}>
          Audit log
        </Link>
      </div>
      {events ? (
        <ul className="panel text-xs lines">
          {events.length === 0 && <li className="muted">Nothing has changed yet.</li>}
          {events.map((event) => (
            <li key={event.id}>
              <Person name={event.actor} />
              <Link className="grow clip row" to={`${log}?row=${encodeURIComponent(event.id)}`}>
                <DidWords event={event} />
                <bdi className="clip muted">{describeTarget(event)}</bdi>
              </Link>
              <Ago at={event.time} />
            </li>
          ))}
        </ul>
      ) : error ? (
        <Failure what="Changes" error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="changes" />
      )}
    </section>
  );
}
