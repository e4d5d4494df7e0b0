import { useQuery } from "@tanstack/react-query";
import type { CacheMiss } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { cutText, formatCount, plural } from "../../format.ts";
import { Ago } from "../../ui/ago.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { ReaderText } from "../../ui/reader-text.tsx";
import { cacheMissesQuery } from "./cache-queries.ts";
import { describeDifference, explainMiss } from "./miss-words.ts";
import type { CacheTool } from "./tools.ts";

/** Differences shown for one miss; the rest is counted. */
const MAX_DIFFERENCES = 4;

/** The work that was not cached, and why, as far as it is known. All texts are the tool's own. */
export function Misses({ tool }: { tool: CacheTool }) {
  const { name: organization } = useOrganization();
  const { data, error, refetch } = useQuery(cacheMissesQuery(organization, tool.id));
  return (
    <section className="section" aria-labelledby="cache-misses">
      <div className="section-header">
        <h2 id="cache-misses">Latest misses</h2>
        <span className="text-xs subtle">why the tool did the work</span>
      </div>
      {!data ? (
        error ? (
          <Failure what="Misses" error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading what="misses" />
        )
      ) : data.length === 0 ? (
        <p className="panel arrivals-none text-xs subtle">
          No misses are recorded. Entries that {tool.name} does not find appear here.
        </p>
      ) : (
        <ol className="panel text-xs misses">
          {data.map((miss) => (
            <Miss key={miss.key} miss={miss} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Miss({ miss }: { miss: CacheMiss }) {
  const { key, target, mnemonic, times, missed_at: at, differences } = miss;
  const rest = differences.length - MAX_DIFFERENCES;
  return (
    <li>
      <div className="row gap12">
        <span className="clip strong" title={cutText(key, 600)}>
          <ReaderText text={target || key} length={64} />
        </span>
        {mnemonic && (
          <span className="tag">
            <ReaderText text={mnemonic} length={24} />
          </span>
        )}
        <span className="end row">
          {Number(times) > 1 && <span className="number subtle">{formatCount(Number(times))} times</span>}
          <Ago at={at} />
        </span>
      </div>
      <p className="muted">{explainMiss(miss)}</p>
      {differences.length > 0 && (
        <ul className="mono">
          {differences.slice(0, MAX_DIFFERENCES).map((difference, index) => {
            const { what, change } = describeDifference(difference);
            return (
              <li key={`${index} ${what}`}>
                <bdi>{cutText(what, 80)}</bdi> <bdi className="subtle">{cutText(change, 160)}</bdi>
              </li>
            );
          })}
          {rest > 0 && <li className="subtle">and {plural(rest, "other difference")}</li>}
        </ul>
      )}
    </li>
  );
}
