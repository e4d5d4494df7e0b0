import { useCallback, useEffect, useRef, useState } from "react";
import { describeFailure, Refusal } from "../data/ask-server.ts";

export type Asked<T> =
  { status: "waiting" } | { status: "ready"; data: T } | { status: "failed"; error: Refusal };

const WAITING = { status: "waiting" } as const;

const asRefusal = (error: unknown) =>
  error instanceof Refusal ? error : new Refusal("unknown", describeFailure(error));

/**
 * Sends each question once.
 * @param question null: nothing is asked yet
 * @returns the answer, and a function that asks again
 */
export function useAsked<T>(
  question: string | null,
  ask: (question: string) => Promise<T>,
): [Asked<T>, () => void] {
  const [attempt, setAttempt] = useState(0);
  const [held, hold] = useState<{ about: string; answer: Asked<T> } | null>(null);
  const about = question === null ? null : `${attempt} ${question}`;
  const asking = useRef(ask);
  useEffect(() => {
    if (question === null || about === null) return;
    let isOver = false;
    const keep = (answer: Asked<T>) => void (isOver || hold({ about, answer }));
    asking
      .current(question)
      .then((data) => keep({ status: "ready", data }))
      .catch((error: unknown) => keep({ status: "failed", error: asRefusal(error) }));
    return () => void (isOver = true);
  }, [question, about]);
  const again = useCallback(() => setAttempt((count) => count + 1), []);
  return [held && held.about === about ? held.answer : WAITING, again];
}

/** One action at a time: while it runs the buttons wait, and a failure is shown. */
export function useWork() {
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<Refusal | null>(null);
  const isRunning = useRef(false);
  /** @param name of the button; on success, `work` leaves the page or changes it */
  const run = useCallback(async (name: string, work: () => Promise<void>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(name);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(asRefusal(error));
    }
    isRunning.current = false;
    setBusy(null);
  }, []);
  const refuse = useCallback((error: Refusal | null) => setFailure(error), []);
  return { busy, failure, run, refuse };
}

export type Work = ReturnType<typeof useWork>;
