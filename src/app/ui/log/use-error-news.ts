import { useEffect, useRef } from "react";
import { announce } from "#ui/announce.ts";
import { cutText } from "../../format.ts";
import { stripAnsi } from "./ansi.ts";
import type { LogLines } from "./log-lines.ts";

/** Minimum milliseconds between two messages. */
const PAUSE = 5_000;

/** While the log is followed, only lines that explain a failed step are announced. */
export function useErrorNews({ lastError: line }: LogLines, isFollowing: boolean): void {
  const said = useRef(0);
  const saidAt = useRef(-Infinity);
  useEffect(() => {
    if (!isFollowing || !line || line.number <= said.current) return;
    if (performance.now() - saidAt.current < PAUSE) return;
    said.current = line.number;
    saidAt.current = performance.now();
    announce(`Line ${line.number}: ${cutText(stripAnsi(line.text.slice(0, 1000)), 160)}`);
  }, [line, isFollowing]);
}
