import { type MouseEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { LogLines } from "./log-lines.ts";
import type { RowsProps } from "./log-rows.tsx";
import {
  countRows,
  makeSections,
  PART_LENGTH,
  ROW_LENGTH,
  type LogStep,
  type Section,
  type SectionInput,
} from "./log-sections.ts";
import { saveLog } from "./save-log.ts";
import type { Match } from "./search-log.ts";
import { useErrorNews } from "./use-error-news.ts";
import { type Follow, useFollow } from "./use-follow.ts";
import { useLinkedLines } from "./use-linked-lines.ts";
import { useLogFolds } from "./use-log-folds.ts";
import { useLogKeys } from "./use-log-keys.ts";
import { type LogSearch, useLogSearch } from "./use-log-search.ts";

export interface LogViewProps {
  /** It grows in place; `version` changes with it. */
  log: LogLines;
  version: number;
  steps: readonly LogStep[];
  /** More lines may arrive. */
  isLive: boolean;
  /** The current step: "build 2/2, linux/arm64". */
  label: string;
  /** The file's name: "bld_v6n2hk8s4d.log". */
  fileName: string;
  /** Clocks stop at this time; milliseconds since 1970. */
  stoppedAt?: number;
}

/** With more rows, only those in view are in the page. */
const MAX_PLAIN_ROWS = 5_000;

/** State and actions of a log. */
export function useLogView({ log, version, steps, isLive, fileName, stoppedAt }: LogViewProps) {
  const root = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [body, setBody] = useState<HTMLElement | null>(null);
  const [isWrapped, setWrapped] = useState(false);
  const folds = useLogFolds(log, steps);
  const search = useLogSearch(log);
  const [isOnAtFirst] = useState(() => isLive && !/^#L\d/.test(location.hash));
  const follow = useFollow({ body, count: log.count, version, isLive, isOnAtFirst });
  const { target, goTo } = useTarget(folds, follow);
  const goToMatch = (match?: Match) => match && goTo(match.number, match.start);
  const { range, pick } = useLinkedLines({ count: log.count, goTo });
  useErrorNews(log, follow.isOn);
  useOpenMatches(search, {
    goToMatch,
    open: (numbers) =>
      folds.choose(new Set(numbers.flatMap((number) => log.line(number - 1)?.stepId ?? [])), true),
  });
  const sections = useSections({ steps, log, isOpen: folds.isOpen, expanded: folds.expanded }, version);
  // Long lines in full are many rows, and wide ones.
  const isVirtual = countRows(sections) > MAX_PLAIN_ROWS || folds.expanded.size > 0;
  useLogKeys({ root, field, isVirtual, toggleFollow: follow.toggle });
  const isFolded = sections.every((section) => !section.isOpen);
  const rows: RowsProps = {
    body,
    log,
    sections,
    range,
    isWrapped,
    stoppedAt,
    target,
    expanded: folds.expanded,
    query: search.query,
    current: search.current,
  };
  const frame = { root, setBody, rows, isVirtual, follow };
  return {
    ...frame,
    onClick: (event: MouseEvent<HTMLElement>) => handleClick(event, { pick, folds }),
    head: {
      search,
      field,
      follow,
      isWrapped,
      isFolded,
      steps: sections.flatMap((section) => (section.steps.length === 1 ? section.steps : [])),
      goToStep: (id: string) => {
        const position = log.positionOf(id, 0);
        if (position >= 0) goTo(position + 1);
      },
      goToMatch: (by: 1 | -1) => goToMatch(search.move(by)),
      foldAll: () => folds.choose(keysOf(sections), isFolded),
      wrap: () => setWrapped((is) => !is),
      download: () => saveLog(log, fileName),
      leaveSearch: () => {
        search.setText("");
        body?.focus({ preventScroll: true });
      },
    },
  };
}

/** A line to scroll to: its step is opened, a long line is shown in full, and following ends. */
function useTarget(folds: ReturnType<typeof useLogFolds>, follow: Follow) {
  const [target, setTarget] = useState<RowsProps["target"]>(null);
  const goTo = (number: number, start = 0) => {
    if (start >= ROW_LENGTH) folds.expand(number);
    const isWhole = start >= ROW_LENGTH || folds.expanded.has(number);
    follow.stop();
    folds.reveal(number);
    setTarget({ number, part: isWhole ? Math.floor(start / PART_LENGTH) : 0 });
  };
  return { target, goTo };
}

const keysOf = (sections: readonly Section[]) => sections.map(({ key }) => key);

function useSections({ steps, log, isOpen, expanded }: SectionInput, version: number): Section[] {
  return useMemo(
    () => makeSections({ steps, log, isOpen, expanded }),
    // The log is the same object with more lines, as `version` shows.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [steps, log, version, isOpen, expanded],
  );
}

interface ClickTargets {
  pick: (number: number, isRange: boolean) => void;
  folds: Pick<ReturnType<typeof useLogFolds>, "choose" | "expand">;
}

/** Handles clicks on folds, numbers and cut lines, of which there may be many thousands. */
function handleClick(event: MouseEvent<HTMLElement>, { pick, folds }: ClickTargets): void {
  const element =
    event.target instanceof Element ? event.target.closest("a[id], [data-fold], [data-expand]") : null;
  if (!(element instanceof HTMLElement)) return;
  const { fold, expand } = element.dataset;
  if (fold !== undefined) folds.choose([fold], element.getAttribute("aria-expanded") === "false");
  else if (expand !== undefined) folds.expand(Number(expand));
  // With modifier keys a link works as usual: a new tab has the same lines.
  else if (!event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    pick(Number(element.id.slice(1)), event.shiftKey);
  }
}

interface Opening {
  goToMatch: (match: Match | undefined) => void;
  open: (numbers: readonly number[]) => void;
}

/** Opens steps with a match, and scrolls to the first match while typing. */
function useOpenMatches({ query, matches, current }: LogSearch, { goToMatch, open }: Opening): void {
  const opened = useRef({ query: "", count: 0 });
  const openNew = useEffectEvent(() => {
    const before = opened.current.query === query ? opened.current.count : 0;
    opened.current = { query, count: matches.length };
    if (matches.length > before) open(matches.slice(before).map(({ number }) => number));
    if (before === 0) goToMatch(current);
  });
  useEffect(() => {
    if (query !== "" && matches.length > 0) openNew();
  }, [query, matches]);
}
