import { useAddress } from "../../../data/address.ts";
import { formatDuration } from "../../../format.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import type { TimelineEntry } from "./timeline.ts";

interface Props {
  entries: TimelineEntry[];
  /** The time of 0:00, in milliseconds since 1970. */
  start: number;
  /** The player's position, in milliseconds after `start`. */
  now: number;
  /** Absent when nothing can be played. */
  onSeek: ((at: number) => void) | undefined;
}

const ICONS: { [kind in TimelineEntry["kind"]]: { icon: IconName; name: string } } = {
  page: { icon: "fileText", name: "Page" },
  click: { icon: "mousePointer", name: "Click" },
  search: { icon: "search", name: "Search" },
  console: { icon: "squareTerminal", name: "Console" },
  error: { icon: "triangleAlert", name: "Error" },
  event: { icon: "activity", name: "Event" },
};

/** Thousands of buttons would make the page slow. The exported recording has the rest. */
const LIMIT = 500;

export function Timeline({ entries, start, now, onSeek }: Props) {
  const { params, change } = useAddress();
  const isConsole = params.get("show") === "console";
  const wanted = isConsole
    ? entries.filter((entry) => entry.kind === "console" || entry.kind === "error")
    : entries;
  const shown = wanted.slice(0, LIMIT);
  const current = shown.findLastIndex((entry) => entry.at - start <= now);
  return (
    <section className="panel happened" aria-labelledby="timeline-title">
      <div className="panel-header">
        <h2 id="timeline-title">Timeline</h2>
        <button
          className="btn end"
          type="button"
          aria-pressed={isConsole}
          onClick={() => change({ show: isConsole ? null : "console" })}
        >
          Console only
        </button>
      </div>
      {shown.length === 0 && (
        <p className="panel-body text-xs muted">
          {isConsole ? "The page wrote nothing to the console." : "Nothing happened besides reading."}
        </p>
      )}
      <ol>
        {shown.map((entry, index) => (
          // Two entries can be completely equal; the list never changes its order.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-kind={entry.kind}>
            <Entry entry={entry} start={start} isCurrent={index === current} onSeek={onSeek} />
          </li>
        ))}
      </ol>
      {wanted.length > LIMIT && (
        <p className="panel-body text-xs muted">
          The first {LIMIT} of {wanted.length} entries.
        </p>
      )}
    </section>
  );
}

interface EntryProps {
  entry: TimelineEntry;
  start: number;
  isCurrent: boolean;
  onSeek: Props["onSeek"];
}

function Entry({ entry, start, isCurrent, onSeek }: EntryProps) {
  const content = (
    <>
      <span className="entry-time">{formatDuration(entry.at - start)}</span>
      <Icon name={ICONS[entry.kind].icon} />
      <span className="entry-text">
        <span className="vh">{entry.level ?? ICONS[entry.kind].name}: </span>
        <bdi>{entry.text}</bdi>
      </span>
    </>
  );
  if (!onSeek) return <div className="entry">{content}</div>;
  return (
    <button
      className="entry"
      type="button"
      aria-current={isCurrent ? "true" : undefined}
      onClick={() => onSeek(entry.at)}
    >
      {content}
    </button>
  );
}
