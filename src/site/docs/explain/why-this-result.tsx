/** In development only: explains a hit's place, rule by rule. Requested when an author opens it. */
import { useEffect, useState } from "react";
import { siteConfig } from "#config";
import {
  describeWord,
  explainHit,
  type ExplainedHit,
  EXPLAIN_PARAMETERS,
} from "#platform/text/explain-hit.ts";
import { adoptStyles } from "../late/adopt-styles.ts";
import { DEFAULT_HITS_PER_PAGE, type DocsHit } from "../search/protocol.ts";
import { filterOf, readRefinement } from "../search/refinement.ts";
import styles from "./why-this-result.css?inline";

adoptStyles(styles);

interface Props {
  hit: DocsHit;
  /** Its place among all hits, from 0. */
  index: number;
}

type Reason = ExplainedHit | { problem: string };

export function WhyThisResult({ hit, index }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [answered, setAnswered] = useState<{ hit: DocsHit; reason: Reason } | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    let isLate = false;
    void ask(hit, index).then((reason) => isLate || setAnswered({ hit, reason }));
    return () => void (isLate = true);
  }, [isOpen, hit, index]);
  // A new answer has new hit objects: an open explanation is then requested again for the current place.
  const reason = answered?.hit === hit && answered.reason;
  return (
    <div className="why">
      <button
        type="button"
        className="btn btn-line btn-sm"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Why this result
      </button>
      {isOpen && !reason && <p>Asking...</p>}
      {isOpen && reason && ("problem" in reason ? <p>{reason.problem}</p> : <Why {...reason} />)}
    </div>
  );
}

/** Repeats the search with details. The page's own search has none, because readers do not need them. */
async function ask({ objectID }: DocsHit, index: number): Promise<Reason> {
  const { search } = window.location;
  const q = new URLSearchParams(search).get("q") ?? "";
  const filter = filterOf(readRefinement(search));
  const limit = Math.ceil((index + 1) / DEFAULT_HITS_PER_PAGE) * DEFAULT_HITS_PER_PAGE + 1;
  const query = { indexUid: siteConfig.search.indexName, q, filter, limit, ...EXPLAIN_PARAMETERS };
  try {
    const response = await fetch("/multi-search", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ queries: [query] }),
    });
    const { results } = (await response.json()) as { results?: { hits: DocsHit[] }[] };
    const found = results?.[0]?.hits.find((each) => each.objectID === objectID);
    return found ? explainHit({ ...found }, q) : { problem: "The search no longer finds it: search again." };
  } catch {
    return { problem: "The development server is not responding. Check that it is running." };
  }
}

function Why({ score, rules, words, fields }: ExplainedHit) {
  return (
    <>
      <p>
        Score {score?.toFixed(3) ?? "unknown"}.{" "}
        {words.length > 0
          ? words
              .map((word) => `${word.word}: ${describeWord(word)}, in ${word.fields.join(", ")}`)
              .join("; ")
          : "No word matched in the record itself, only in its page"}
        .
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Score</th>
            <th scope="col">Weight</th>
            <th scope="col">Adds</th>
          </tr>
        </thead>
        <tbody>
          {rules.map(({ name, meaning, rest, score: own, weight }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code> {meaning} {rest}
              </th>
              <td>{own?.toFixed(3)}</td>
              <td>{weight?.toFixed(3)}</td>
              <td>{own !== null && weight !== null && (own * weight).toFixed(3)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl>
        {fields.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
