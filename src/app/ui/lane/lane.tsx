import type { CSSProperties, ReactNode } from "react";
import { Link } from "react-router";
import { Clock } from "../clock/clock.tsx";
import { sayUsual } from "../clock/format-tick.ts";
import { Icon, type IconName } from "../icon.tsx";
import { useNow } from "../clock/use-now.ts";
import { scaleLane, USUAL_AT } from "./scale-lanes.ts";

export interface LaneProps {
  /** Address of the running item. */
  to: string;
  icon: IconName;
  /** "web". */
  name: string;
  /** "Add express checkout to the basket". */
  about?: string;
  /** Between name and channel: state and steps. */
  middle?: ReactNode;
  /** Milliseconds since 1970 by the server's clock; null while it waits. */
  startedAt: number | null;
  /** Usual duration, milliseconds; null when unknown. */
  usual: number | null;
  /** The part of the elapsed time that came from the cache; milliseconds. */
  cached?: number;
  /** The reason for waiting: "waiting for a builder". */
  waitsFor?: string;
  /** Stops the clock: connection lost, or a test. Milliseconds since 1970. */
  stoppedAt?: number;
}

/** A running or waiting item. */
export function Lane(props: LaneProps) {
  const { to, icon, name, about, middle, startedAt, usual, waitsFor = "waiting" } = props;
  return (
    <Link className={`lane${middle ? " lane-5" : ""}`} to={to}>
      <Icon name={icon} />
      <span className="clip" title={about ? `${name} ${about}` : name}>
        <bdi className="strong">{name}</bdi> {about && <bdi className="subtle text-xs">{about}</bdi>}
      </span>
      {middle}
      <LaneBar {...props} />
      <span className="number muted lane-time">
        {startedAt === null ? <span className="subtle">{waitsFor}</span> : <LaneTime {...props} />}
        {startedAt !== null && usual !== null && <span className="subtle"> of {sayUsual(usual)}</span>}
      </span>
    </Link>
  );
}

function LaneTime({ startedAt, usual, stoppedAt }: LaneProps) {
  const now = useNow(startedAt !== null && stoppedAt === undefined, startedAt ?? 0);
  const isOver = startedAt !== null && usual !== null && usual > 0 && (stoppedAt ?? now) - startedAt > usual;
  return (
    <Clock
      className={isOver ? "text-work" : ""}
      startedAt={startedAt ?? 0}
      {...(stoppedAt !== undefined && { stoppedAt })}
    />
  );
}

function LaneBar({ startedAt, usual, cached, stoppedAt }: LaneProps) {
  const now = useNow(startedAt !== null && stoppedAt === undefined, startedAt ?? 0);
  const elapsed = startedAt === null ? null : Math.max((stoppedAt ?? now) - startedAt, 0);
  const scale = scaleLane({ elapsed, usual, ...(cached !== undefined && { cached }) });
  const at = (start: number, width: number) =>
    ({ "--s": `${start.toFixed(2)}%`, "--w": `${width.toFixed(2)}%` }) as CSSProperties;
  return (
    <span className="lane-track" aria-hidden="true">
      {scale.kind === "waiting" && <i className="queued" style={at(0, 100)} />}
      {scale.kind === "unknown" && <i className="worked pale" style={at(0, 100)} />}
      {scale.cached > 0 && <i style={at(0, Math.max(scale.cached - 0.2, 0))} />}
      {scale.kind === "scaled" && <i className="worked" style={at(scale.cached, scale.end - scale.cached)} />}
      {scale.kind === "scaled" && <u style={at(USUAL_AT, 0)} />}
    </span>
  );
}
