import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { readReport, ReportError } from "./ask.ts";
import { readSession, watchSession } from "./session.ts";

type Answer<T> =
  /** `at`: when it came, in milliseconds since 1970. */
  { status: "ready"; data: T; at: number; isOld: boolean } | { status: "failed"; error: ReportError };

/** `isOld`: the answer to what was asked before, until the new one is there. */
export type Report<T> = { status: "waiting" } | Answer<T>;

interface Held<T> {
  kind: string;
  question: string;
  answer: Answer<T>;
}

const WAITING = { status: "waiting" } as const;
const readRound = () => readSession().round;

/**
 * Asks for a report when `path` changes, and again after a sign-in. An answer to an earlier question is dropped, and the
 * request is aborted when the component leaves. While only the range changes the former report stays; a sign-out keeps it.
 * @param every ask again so many milliseconds after each answer, while the page can be seen.
 * @returns the report, and a function that asks anew.
 */
export function useReport<T>(path: string, every?: number): [Report<T>, () => void] {
  const kind = kindOf(path);
  const round = useSyncExternalStore(watchSession, readRound);
  const [attempt, setAttempt] = useState(0);
  const [held, hold] = useState<Held<T> | null>(null);
  const question = [round, attempt, path].join(" ");

  useEffect(() => {
    const abort = new AbortController();
    const stop = repeat(abort.signal, every, async () => {
      // Signed out, every question has the same answer; the sign-in begins a new round.
      if (readSession().state === "out") return;
      const answer = await readOnce<T>(path, abort.signal);
      if (answer && !abort.signal.aborted) hold({ kind, question, answer });
    });
    return () => {
      abort.abort();
      stop();
    };
  }, [path, kind, question, every]);

  const again = useCallback(() => setAttempt((count) => count + 1), []);
  return [reportOf(held, kind, question), again];
}

function reportOf<T>(held: Held<T> | null, kind: string, question: string): Report<T> {
  if (!held || held.kind !== kind) return WAITING;
  if (held.question === question) return held.answer;
  return held.answer.status === "ready" ? { ...held.answer, isOld: true } : WAITING;
}

/** What is asked for, whatever the range. */
function kindOf(path: string): string {
  return path.replaceAll(/(?:from|to)=\d+/g, "");
}

/** Undefined when the page stays as it is. */
async function readOnce<T>(path: string, signal: AbortSignal): Promise<Answer<T> | undefined> {
  try {
    return { status: "ready", data: await readReport<T>(path, signal), at: Date.now(), isOld: false };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof ReportError)) throw error;
    // The dialog asks for a sign-in; what is on the page stays until then.
    return error.status === 401 ? undefined : { status: "failed", error };
  }
}

/** Runs `work` once, then again `every` ms after each end; waits while the page is hidden. */
function repeat(signal: AbortSignal, every: number | undefined, work: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  const run = async () => {
    if (isBusy || signal.aborted) return;
    isBusy = true;
    clearTimeout(timer);
    await work();
    isBusy = false;
    if (every !== undefined && !signal.aborted && !document.hidden)
      timer = setTimeout(() => void run(), every);
  };
  const onVisibility = () => {
    if (document.hidden) clearTimeout(timer);
    else void run();
  };
  if (every !== undefined) document.addEventListener("visibilitychange", onVisibility);
  void run();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onVisibility);
  };
}
