import { useCallback, useState } from "react";
import type { LogLines } from "./log-lines.ts";
import type { LogStep } from "./log-sections.ts";

/** Which steps are open: running and failed ones, until the reader chooses otherwise. Nothing closes automatically. */
export function useLogFolds(log: LogLines, steps: readonly LogStep[]) {
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  // Steps that were seen running stay open when they end.
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set());
  const running = steps.filter(({ id, state }) => state === "running" && !opened.has(id));
  if (running.length > 0) setOpened(new Set([...opened, ...running.map(({ id }) => id)]));
  const isOpen = useCallback(
    (id: string, step: LogStep) =>
      choices.get(id) ?? (opened.has(id) || step.state === "running" || step.state === "failed"),
    [choices, opened],
  );
  const choose = useCallback((ids: Iterable<string>, open: boolean) => {
    setChoices((now) => {
      const changed = [...ids].filter((id) => now.get(id) !== open);
      return changed.length === 0 ? now : new Map([...now, ...changed.map((id) => [id, open] as const)]);
    });
  }, []);
  return {
    isOpen,
    choose,
    expanded,
    expand: (number: number) => setExpanded((now) => (now.has(number) ? now : new Set(now).add(number))),
    /** Opens a line's step, so that it can be scrolled to. */
    reveal: (number: number) => {
      const line = log.line(number - 1);
      if (line) choose([line.stepId], true);
    },
  };
}
