import { formatTimeOfDay } from "../../dates.ts";
import { useLatestEvents } from "../../data/live.ts";
import { useOrganization } from "../../data/organization.ts";
import { Icon } from "../../ui/icon.tsx";
import { LiveMark } from "../../ui/live-mark.tsx";
import { type LatestEvent, mergeLatest } from "./first-run.ts";

/** Requests that reach the server during the first steps, including refused ones with advice. */
export function LatestEvents({ events }: { events: readonly LatestEvent[] }) {
  const { name } = useOrganization();
  const lines = mergeLatest(events, useLatestEvents(name));
  return (
    <section className="panel" aria-label="What the server hears">
      <div className="panel-header">
        <h2>What the server hears</h2>
        <span className="end">
          <LiveMark />
        </span>
      </div>
      <div role="log" aria-live="polite" aria-label="Latest events">
        {lines.length === 0 ? (
          <p className="arrivals-none text-xs subtle">
            Nothing yet. Logins, requests from your CI and refusals appear here.
          </p>
        ) : (
          <ol className="arrivals">
            {lines.map((line) => (
              <li key={line.id}>
                <time dateTime={line.at}>{formatTimeOfDay(new Date(line.at))}</time>
                <EventLine line={line} />
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

function EventLine({ line: { text, by, refused } }: { line: LatestEvent }) {
  return (
    <span className={refused ? "text-fail" : undefined}>
      {refused && (
        <>
          <Icon name="circleX" className="small" />
          <span className="vh">Refused: </span>
        </>
      )}
      <bdi>{text}</bdi>
      {by && !refused && (
        <span className="subtle">
          {" "}
          by <bdi>{by}</bdi>
        </span>
      )}
    </span>
  );
}
