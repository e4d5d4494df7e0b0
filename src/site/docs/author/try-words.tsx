import { useCallback, useState } from "react";
import { MAX_QUERY_LENGTH } from "../search/protocol.ts";
import { fetchPlaces } from "./ask-server.ts";
import { ordinal } from "./page-questions.tsx";
import { countOf } from "./page-checks.tsx";
import { useAnswer } from "./use-answer.ts";

/** Shows the page's place for the author's own words. */
export function TryWords({ path }: { path: string }) {
  const [words, setWords] = useState("");
  const ask = useCallback((asked: string, signal: AbortSignal) => fetchPlaces(path, asked, signal), [path]);
  const question = words.trim() || null;
  const { answer, failure } = useAnswer(question, ask);
  return (
    <section aria-labelledby="author-try">
      <h3 id="author-try">Try words</h3>
      <label className="author-try">
        What a reader types
        <input
          type="text"
          value={words}
          maxLength={MAX_QUERY_LENGTH}
          autoComplete="off"
          onChange={(event) => setWords(event.target.value)}
        />
      </label>
      <output>
        {failure ??
          (answer &&
            (answer.place > 0
              ? `This page ranks ${ordinal(answer.place)} of ${countOf(answer.pages.length, "page")}.`
              : `This page is not among the ${countOf(answer.pages.length, "page")} found.`))}
      </output>
      {answer && (
        <ol>
          {answer.pages.map(({ address, title }, at) => (
            <li key={address} aria-current={at + 1 === answer.place ? "true" : undefined}>
              <a href={address}>{title}</a> <code>{address}</code>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
