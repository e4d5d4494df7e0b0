import { type CSSProperties, lazy, Suspense } from "react";
import { plural } from "../../format.ts";
import { LogHead } from "./log-head.tsx";
import { LogRows } from "./log-rows.tsx";
import type { Follow } from "./use-follow.ts";
import { type LogViewProps, useLogView } from "./use-log-view.ts";
import "../../styles/log.css";

/** Most logs are short: this is fetched with the first long one. */
const FixedRows = lazy(async () => ({ default: (await import("./fixed-rows.tsx")).FixedRows }));
const WrappedRows = lazy(async () => ({ default: (await import("./wrapped-rows.tsx")).WrappedRows }));

/** The output of a build's steps. As high as its container, and scrolls inside. */
export function LogView(props: LogViewProps) {
  const { log, isLive, label, fileName } = props;
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
        className="log-body"
        ref={setBody}
        role="log"
        aria-live="off"
        aria-label="Lines"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={follow.onScroll}
        onClick={onClick}
      >
        {rows.sections.length === 0 && (
          <p className="log-none">{isLive ? "No step has written a line yet." : "No step wrote a line."}</p>
        )}
        {isVirtual ? (
          <Suspense fallback={null}>
            {rows.isWrapped ? <WrappedRows {...rows} /> : <FixedRows {...rows} />}
          </Suspense>
        ) : (
          <LogRows {...rows} />
        )}
        {log.dropped > 0 && (
          <p className="log-none">
            {plural(log.dropped, "more line")}, too many for this page. To see all of them, run{" "}
            <code>millrace builds logs {fileName.replace(/\.log$/, "")}</code>
          </p>
        )}
      </div>
      {isLive && <FollowButton count={log.count} follow={follow} />}
    </section>
  );
}

function FollowButton({ count, follow }: { count: number; follow: Follow }) {
  const { isOn, unseen, toggle } = follow;
  if (!isOn && unseen === 0) return null;
  // Jumps back to the end; when the end is in view it is only a text.
  if (isOn) return <span className="log-follow">Following, {plural(count, "line")}</span>;
  return (
    <button className="log-follow" type="button" onClick={toggle}>
      {plural(unseen, "new line")}
    </button>
  );
}
