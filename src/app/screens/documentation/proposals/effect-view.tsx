import type { EffectPart, SearchEffect, TrialHit } from "#telemetry/index.ts";
import { formatCount, plural } from "../../../format.ts";
import { ReaderText } from "../../../ui/reader-text.tsx";
import "../../../styles/frame/explain.css";

/** The predicted effect of a change on past searches, in numbers and one by one. */
export function EffectView({ effect }: { effect: SearchEffect }) {
  const { kept, tried, emptyBefore, found, changed } = effect;
  return (
    <section className="section" aria-label="Effect on past searches">
      <output className="text-xs">
        {describeTried(tried, kept)} {formatCount(found.searches)} of {formatCount(emptyBefore)} that find
        nothing would find something. {formatCount(changed.searches)}{" "}
        {changed.searches === 1 ? "other" : "others"} would have different first hits. Nothing is saved yet.
      </output>
      <Part title="Would find something" part={found} />
      <Part title="Would change" part={changed} />
    </section>
  );
}

function describeTried(tried: number, kept: number): string {
  const made = `${plural(tried, "different past search")} ${tried === 1 ? "was" : "were"} made again`;
  return tried < kept ? `${made}, the most frequent of ${formatCount(kept)}.` : `${made}.`;
}

function Part({ title, part }: { title: string; part: EffectPart }) {
  if (part.searches === 0) return null;
  const more = part.searches - part.rows.length;
  return (
    <details className="effect" open={part.searches <= 5}>
      <summary>
        {title}: {plural(part.searches, "search")}, made {formatCount(part.times)} times
      </summary>
      <ul>
        {part.rows.map(({ query, count, before, after }) => (
          <li key={query}>
            <p>
              <ReaderText text={query} length={60} />{" "}
              <span className="subtle">{formatCount(count)} times</span>
            </p>
            <div className="trial">
              <Hits title="Before" hits={before} />
              <Hits title="After" hits={after} />
            </div>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-xs muted">And {plural(more, "less frequent search")}.</p>}
    </details>
  );
}

function Hits({ title, hits }: { title: string; hits: readonly TrialHit[] }) {
  return (
    <div>
      <p className="muted">{title}</p>
      {hits.length === 0 ? (
        <p>Nothing found.</p>
      ) : (
        <ol>
          {hits.map(({ path, trail }, index) => (
            <li key={`${path} ${index}`}>
              <span>
                {index + 1}. {trail || path}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
