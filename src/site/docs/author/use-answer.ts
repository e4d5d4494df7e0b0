import { useEffect, useState } from "react";

/** A question until it is answered; the answer to an earlier question is never shown for a later one. */
export interface Asked<Answer> {
  answer?: Answer;
  /** A message for the author. */
  failure?: string;
}

/**
 * Asks whenever the question changes; null sends no request.
 * @param ask the same function at every rendering
 */
export function useAnswer<Answer>(
  question: string | null,
  ask: (question: string, signal: AbortSignal) => Promise<Answer>,
): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer> & { question: string | null }>({ question: null });
  useEffect(() => {
    if (question === null) return;
    const abort = new AbortController();
    ask(question, abort.signal).then(
      (answer) => !abort.signal.aborted && setAsked({ question, answer }),
      (error: unknown) => {
        if (!abort.signal.aborted)
          setAsked({ question, failure: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => abort.abort();
  }, [question, ask]);
  return asked.question === question ? asked : {};
}
