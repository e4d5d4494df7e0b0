import { useEffect, useState } from "react";
import { useLive } from "../data/live.ts";
import { Icon } from "./icon.tsx";
import { lazily } from "../lazily.ts";

/** A restarted server is back sooner. */
const SHOWN_AFTER_MS = 2_000;
const CLOCK = lazily(() => new Intl.DateTimeFormat("en", { timeStyle: "medium", hourCycle: "h23" }));

/** Shows since when the page is not live, and how old its data is. */
export function ConnectionBand() {
  const { state, since, lastAt, reconnect } = useLive();
  const now = useNow(state === "lost");
  if (state === "paused") return <PausedBand reconnect={reconnect} />;
  if (state !== "lost" || since === null || now - since < SHOWN_AFTER_MS) return null;
  return (
    <output className="band">
      <Icon name="plug" />
      <span>
        <b>
          Connection lost<span aria-hidden="true"> {formatPause(now - since)} ago</span>.
        </b>{" "}
        Builds and jobs continue without this page.
        {lastAt !== null && ` What you see is from ${CLOCK().format(lastAt)}.`}
      </span>
      <button className="btn" type="button" onClick={reconnect}>
        Reconnect now
      </button>
    </output>
  );
}

/** Visible next to other windows: a page reconnects automatically when it is viewed again. */
function PausedBand({ reconnect }: { reconnect: () => void }) {
  return (
    <output className="band">
      <Icon name="plug" />
      <span>
        <b>Not live.</b> You opened too many newer pages. This page reconnects when you return to it.
      </span>
      <button className="btn" type="button" onClick={reconnect}>
        Reconnect now
      </button>
    </output>
  );
}

/** Updates each second, while needed. */
function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return now;
}

function formatPause(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
