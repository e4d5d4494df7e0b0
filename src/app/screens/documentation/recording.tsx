import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { Link, useParams } from "react-router";
import type { RecordingReport } from "#telemetry/index.ts";
import { useAddress, useRangeSearch } from "../../data/address.ts";
import { formatBytes, formatDateTime, formatDuration, plural } from "../../format.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { prepareEvents, type Playable } from "./player/events.ts";
import type { PlayerHandle } from "./player/player.tsx";
import { Timeline } from "./player/timeline-list.tsx";
import { buildTimeline } from "./player/timeline.ts";
import { isGone, useReport } from "./report.ts";
import { ReportPage } from "./report-page.tsx";
import { Show } from "./show.tsx";
import "../../styles/frame/player.css";

const Player = lazy(async () => ({ default: (await import("./player/player.tsx")).Player }));

/** A page's snapshot comes a moment after its address; an entry shows the result. */
const AFTERWARDS = 100;

/** Above this number the player takes seconds to jump, and the page tells the operator why. */
const MANY_EVENTS = 20_000;

const ABOVE = [{ label: "Recordings", to: "/console/recordings" }];

export function RecordingPage() {
  const { sessionId = "" } = useParams();
  const report = useReport<RecordingReport>(`recordings/${encodeURIComponent(sessionId)}`);
  const search = useRangeSearch();
  return (
    <ReportPage
      title="Recording"
      above={ABOVE}
      hasRange={false}
      report={report}
      lead={report.data && <RecordingFacts data={report.data} />}
    >
      {isGone(report) ? (
        <EmptyState title="This recording is no longer stored">
          <p>It was older than the retention period, or its reader erased it.</p>
          <p>
            <Link className="link" to={`/console/recordings${search}`}>
              See the stored recordings
            </Link>
          </p>
        </EmptyState>
      ) : (
        <Show report={report} what="The recording">
          {(data) => <Recording data={data} />}
        </Show>
      )}
    </ReportPage>
  );
}

function RecordingFacts({ data }: { data: RecordingReport }) {
  return (
    <>
      {formatDateTime(data.startedAt)} · {formatDuration(data.endedAt - data.startedAt)} ·{" "}
      {plural(data.paths.length, "page")} · {plural(data.events.length, "event")} · {formatBytes(data.bytes)}
    </>
  );
}

function Recording({ data }: { data: RecordingReport }) {
  const { params, change } = useAddress();
  const playable = useMemo(() => prepareEvents(data.events), [data]);
  const timeline = useMemo(() => buildTimeline(data.events, data.timeline), [data]);
  const start = playable.isPlayable ? (playable.events[0]?.timestamp ?? data.startedAt) : data.startedAt;
  const [startAt] = useState(Math.max(Number(params.get("t")) || 0, 0) * 1000);
  const [now, setNow] = useState(startAt);
  const player = useRef<PlayerHandle>(null);

  const onTime = (at: number, isPlaying: boolean) => {
    setNow(at);
    // During playback the address would change several times a second.
    if (!isPlaying) change({ t: at >= 1000 ? (at / 1000).toFixed(1) : null });
  };
  const seek = (at: number) => player.current?.seek(Math.max(at - start + AFTERWARDS, 0));

  return (
    <>
      <Hints playable={playable} count={data.events.length} />
      <div className={playable.isPlayable ? "grid-side" : undefined}>
        {playable.isPlayable && (
          <Suspense fallback={<div className="stage" />}>
            <Player ref={player} events={playable.events} startAt={startAt} onTime={onTime} />
          </Suspense>
        )}
        <Timeline
          entries={timeline}
          start={start}
          now={now}
          onSeek={playable.isPlayable ? seek : undefined}
        />
      </div>
    </>
  );
}

const REASONS = {
  empty: ["The recording has no events", "What the reader's browser sent was deleted or never arrived."],
  "no-picture": [
    "The recording cannot be shown",
    "A recording starts with a full snapshot of the page and continues with changes to it. Only the changes are stored here: the snapshot was blocked on its way or deleted as the oldest stored data. The events are listed below.",
  ],
  "too-short": [
    "The recording is a single snapshot",
    "The reader left before anything changed: there is nothing to play.",
  ],
} as const;

function Hints({ playable, count }: { playable: Playable; count: number }) {
  if (!playable.isPlayable) {
    const [title, text] = REASONS[playable.reason];
    return <Hint title={title} text={text} />;
  }
  return (
    <>
      {playable.lost >= 1000 && (
        <Hint
          title={`The first ${formatDuration(playable.lost)} cannot be shown`}
          text="The first full snapshot of the page came later: playback starts there."
        />
      )}
      {count > MANY_EVENTS && (
        <Hint
          title="This is a large recording"
          text="A jump to a later moment plays everything before it, which can take a few seconds."
        />
      )}
    </>
  );
}

function Hint({ title, text }: { title: string; text: string }) {
  return (
    <div className="note">
      <Icon name="info" />
      <p>
        <b>{title}.</b> {text}
      </p>
    </div>
  );
}
