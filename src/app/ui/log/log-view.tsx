import type { CSSProperties } from "react";
import { plural } from "../../format.ts";
import { LogHead } from "./log-head.tsx";
import { LogRows } from "./log-rows.tsx";
import type { Follow } from "./use-follow.ts";
import { type LogViewProps, useLogView } from "./use-log-view.ts";
import { VirtualRows } from "./virtual-rows.tsx";

/** What the steps of a build wrote. It is as high as the box around it, and scrolls inside. */
export function LogView(props: LogViewProps) {
  const { log, isLive, label } = props;
  const { root, setBody, head, rows, isVirtual, follow, onClick } = useLogView(props);
  return (
    <section
      className={rows.isWrapped ? "log is-wrapped" : "log"}
      ref={root}
      aria-label="Log"
      style={{ "--digits": String(log.count).length } as CSSProperties}
    >
      <LogHead label={label} {...head} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events */}
      <div
        className="log-b"
        ref={setBody}
        role="log"
        aria-live="off"
        aria-label="Lines"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={follow.onScroll}
        onClick={onClick}
      >
        {rows.sections.length === 0 && <p className="log-none">No step has written a line yet.</p>}
        {isVirtual ? <VirtualRows {...rows} /> : <LogRows {...rows} />}
        {log.dropped > 0 && (
          <p className="log-none">{plural(log.dropped, "more line")}: download the log to read them.</p>
        )}
      </div>
      {isLive && <FollowButton count={log.count} follow={follow} />}
    </section>
  );
}

function FollowButton({ count, follow }: { count: number; follow: Follow }) {
  const { isOn, unseen, toggle } = follow;
  if (!isOn && unseen === 0) return null;
  // A button that brings the end back; where the end is in view it only says so.
  if (isOn) return <span className="log-f">Following, {plural(count, "line")}</span>;
  return (
    <button className="log-f" type="button" onClick={toggle}>
      {plural(unseen, "new line")}
    </button>
  );
}
