import { startTransition, useEffect, useState } from "react";
import { type DocumentationHit, searchDocumentation } from "./documentation-search.ts";

const PAUSE_MS = 120;
const MIN_CHARACTERS = 2;

export interface DocumentationAnswer {
  /** The question; the former question's hits stay until the new ones arrive. */
  text: string;
  hits: DocumentationHit[];
  error: string | null;
}

const NOTHING: DocumentationAnswer = { text: "", hits: [], error: null };

/** Hits for the typed text. An older question is aborted. */
export function useDocumentation(text: string): DocumentationAnswer {
  const [answer, setAnswer] = useState(NOTHING);
  const question = text.trim();
  useEffect(() => {
    if (question.length < MIN_CHARACTERS) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      searchDocumentation(question, abort.signal).then(
        // A letter typed in the meantime comes first.
        (hits) => startTransition(() => setAnswer({ text: question, hits, error: null })),
        (error: unknown) => {
          if (!abort.signal.aborted)
            setAnswer({
              text: question,
              hits: [],
              error: error instanceof Error ? error.message : String(error),
            });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [question]);
  return question.length < MIN_CHARACTERS ? NOTHING : answer;
}
