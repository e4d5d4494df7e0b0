import { type MouseEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { plural } from "../../format.ts";
import { acceptsKey } from "../keys/accepts-key.ts";
import { LogHead } from "./log-head.tsx";
import type { LogLines } from "./log-lines.ts";
import { LogRows, type RowsProps } from "./log-rows.tsx";
import { countRows, type LogStep, makeSections, ROW_LENGTH } from "./log-sections.ts";
import { saveLog } from "./save-log.ts";
import { useErrorNews } from "./use-error-news.ts";
import { useFollow } from "./use-follow.ts";
import { useLinkedLines } from "./use-linked-lines.ts";
import { useLogFolds } from "./use-log-folds.ts";
import { useLogSearch } from "./use-log-search.ts";
import { VirtualRows } from "./virtual-rows.tsx";

export interface LogViewProps {
  /** It grows in place; `version` says that it has. */
  log: LogLines;
  version: number;
  steps: readonly LogStep[];
  /** More may come. */
  isLive: boolean;
  /** Of the step that is current: "build 2/2, linux/arm64". */
  label: string;
  /** Of the file: "bld_v6n2hk8s4d.log". */
  fileName: string;
  /** Clocks stand still; milliseconds since 1970. */
  stoppedAt?: number;
}

/** From so many rows on only those in view are in the page. */
const MAX_PLAIN_ROWS = 5_000;

/** What the steps of a build wrote. */
export function LogView({ log, version, steps, isLive, label, fileName, stoppedAt }: LogViewProps) {
  const root = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [isWrapped, setWrapped] = useState(false);
  const [target, setTarget] = useState<RowsProps["target"]>(null);
  const folds = useLogFolds(log, steps);
  const search = useLogSearch(log, version);
  const [isOnAtFirst] = useState(() => isLive && !/^#L\d/.test(location.hash));
  const follow = useFollow({ body, count: log.count, version, isLive, isOnAtFirst });
  const goTo = (number: number, part = 0) => {
    follow.stop();
    folds.reveal(number);
    setTarget({ number, part });
  };
  const { range, pick } = useLinkedLines({ count: log.count, goTo });
  useErrorNews(log, version, follow.isOn);
  const sections = useMemo(
    () => makeSections({ steps, log, isOpen: folds.isOpen, expanded: folds.expanded }),
    // The log is the same object with more lines, which `version` tells.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [steps, log, version, folds.isOpen, folds.expanded],
  );
  const isVirtual = countRows(sections) > MAX_PLAIN_ROWS;
  useLogKeys({ root, field, isVirtual, toggleFollow: follow.toggle });
  const goToMatch = (by: 1 | -1) => {
    const match = search.move(by);
    if (!match) return;
    const isLong = match.start >= ROW_LENGTH;
    if (isLong) folds.expand(match.number);
    goTo(match.number, isLong ? Math.floor(match.start / ROW_LENGTH) : 0);
  };
  useFirstMatch(search.query, search.current?.number, goTo);
  const open = sections.filter((section) => section.isOpen);
  const rows: RowsProps = {
    ...{ body, log, sections, range, isWrapped, stoppedAt, target },
    ...{ expanded: folds.expanded, query: search.query, current: search.current },
  };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const element = event.target instanceof Element ? event.target.closest("a[id], [data-fold], [data-expand]") : null;
    if (!(element instanceof HTMLElement)) return;
    const { fold, expand } = element.dataset;
    if (fold !== undefined) folds.choose([fold], element.getAttribute("aria-expanded") === "false");
    else if (expand !== undefined) folds.expand(Number(expand));
    // With other keys a link is a link: a new tab has the same lines.
    else if (!event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      pick(Number(element.id.slice(1)), event.shiftKey);
    }
  };
  return (
    <section className={isWrapped ? "log is-wrapped" : "log"} ref={root} aria-label="Log">
      <LogHead
        steps={sections.flatMap((section) => (section.steps.length === 1 ? section.steps : []))}
        goToStep={(id) => {
          const position = log.positionOf(id, 0);
          if (position >= 0) goTo(position + 1);
        }}
        {...{ label, search, field, goToMatch, follow, isWrapped }}
        isFolded={open.length === 0}
        foldAll={() =>
          folds.choose(
            sections.map(({ key }) => key),
            open.length === 0,
          )
        }
        wrap={() => setWrapped((is) => !is)}
        download={() => saveLog(log, fileName)}
        leaveSearch={() => {
          search.setText("");
          body.current?.focus({ preventScroll: true });
        }}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events */}
      <div
        className="log-b"
        ref={body}
        role="log"
        aria-live="off"
        aria-label="Lines"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onScroll={follow.onScroll}
        onClick={onClick}
      >
        {log.count === 0 && sections.length === 0 && <p className="log-none">No step has written a line yet.</p>}
        {isVirtual ? <VirtualRows {...rows} /> : <LogRows {...rows} />}
        {log.dropped > 0 && (
          <p className="log-none">{plural(log.dropped, "more line")}: download the log to read them.</p>
        )}
      </div>
      <FollowButton isLive={isLive} count={log.count} {...follow} />
    </section>
  );
}

interface FollowProps {
  isLive: boolean;
  count: number;
  isOn: boolean;
  unseen: number;
  toggle: () => void;
}

function FollowButton({ isLive, count, isOn, unseen, toggle }: FollowProps) {
  if (!isLive || (!isOn && unseen === 0)) return null;
  return (
    <button className="log-f" type="button" onClick={isOn ? undefined : toggle}>
      {isOn ? `Following, ${plural(count, "line")}` : `${plural(unseen, "new line")}`}
    </button>
  );
}

/** The first match is gone to while one types, without the focus. */
function useFirstMatch(query: string, number: number | undefined, goTo: (number: number) => void) {
  const go = useEffectEvent(() => {
    if (number !== undefined) goTo(number);
  });
  const hasMatch = number !== undefined;
  useEffect(() => {
    if (query !== "" && hasMatch) go();
  }, [query, hasMatch]);
}

interface Keys {
  root: React.RefObject<HTMLElement | null>;
  field: React.RefObject<HTMLInputElement | null>;
  isVirtual: boolean;
  toggleFollow: () => void;
}

/** F anywhere; `/`, and the browser's search where it would not find all lines, while the log has the focus. */
function useLogKeys({ root, field, isVirtual, toggleFollow }: Keys) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isInside = event.target instanceof Node && root.current?.contains(event.target) === true;
    const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && event.key === "f";
    if (isFind && isInside && isVirtual) field.current?.select();
    else if (!acceptsKey(event) || event.shiftKey) return;
    else if (event.key === "/" && isInside) field.current?.select();
    else if (event.key === "f") toggleFollow();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, []);
}
