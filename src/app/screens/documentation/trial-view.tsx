import type { SearchTrial, TrialHit } from "#telemetry/index.ts";
import { ReaderText } from "../../ui/reader-text.tsx";
import { compareHits, type ComparedHit } from "./compare-hits.ts";
import "../../styles/frame/explain.css";

/** The action's predicted effect, below the form. */
export function TrialView({ trial }: { trial: SearchTrial }) {
  if (trial.kind === "hits") return <Hits {...trial} />;
  return (
    <output className="text-xs">
      Readers would go to{" "}
      <a className="link" href={trial.path} target="_blank" rel="noreferrer">
        {trial.title}
        <span className="vh"> (opens in a new tab)</span>
      </a>
      , <span className="mono">{trial.path}</span>. Nothing is saved yet.
    </output>
  );
}

function Hits({ query, before, after }: { query: string; before: TrialHit[]; after: TrialHit[] }) {
  const compared = compareHits(before, after);
  return (
    <div className="section">
      <output className="text-xs">
        The first hits for <ReaderText text={query} />, before and after. Nothing is saved yet.
      </output>
      <div className="trial">
        <List title="Before" hits={compared.before} />
        <List title="After" hits={compared.after} />
      </div>
    </div>
  );
}

function List({ title, hits }: { title: string; hits: ComparedHit[] }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {hits.length === 0 ? (
        <p className="text-xs muted">Nothing found.</p>
      ) : (
        <ol>
          {hits.map(({ trail, path, mark, isMoved }, index) => (
            <li key={`${path} ${index}`} data-moved={isMoved}>
              <span>
                {index + 1}. {trail || path}
              </span>
              {mark && <span className="tag">{mark}</span>}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
