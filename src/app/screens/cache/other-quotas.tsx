import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../data/organization.ts";
import { formatBytes, formatCount, formatShare } from "../../format.ts";
import { Ago } from "../../ui/ago.tsx";
import { ShareChannel } from "../../ui/channel/channel.tsx";
import { Failure } from "../../ui/failure.tsx";
import { cacheSimulationQuery } from "./cache-queries.ts";
import type { CacheTool } from "./tools.ts";

/** The hit rate with other quotas: simulated from past requests, not measured. */
export function OtherQuotas({ tool }: { tool: CacheTool }) {
  const { name: organization } = useOrganization();
  const { data, error, refetch } = useQuery(cacheSimulationQuery(organization, tool.id));
  if (!data)
    return (
      error && <Failure what="The hit rate with other quotas" error={error} onRetry={() => void refetch()} />
    );
  const requests = Number(data.requests);
  return (
    <section className="panel" aria-label="Hit rate with other quotas">
      <div className="panel-header">
        <h2>Hit rate with other quotas</h2>
      </div>
      {data.rates.length === 0 ? (
        <p className="cache-quotas text-xs subtle">
          Estimated from a sample of {tool.name}'s requests. There are too few requests so far.
        </p>
      ) : (
        <>
          <ul className="rates cache-quotas">
            {data.rates.map(({ quota_bytes: quota, hits }) => (
              <li className="rate" key={quota}>
                <span className="number">{formatBytes(Number(quota))}</span>
                <ShareChannel
                  parts={[
                    { part: "cached", size: Number(hits) },
                    { part: "worked", size: requests - Number(hits) },
                  ]}
                />
                <span className="number">{formatShare(Number(hits), requests)}</span>
                <span className="subtle">{quota === data.quota_bytes && "now"}</span>
              </li>
            ))}
          </ul>
          <p className="cache-quotas text-xs subtle">
            Estimated from {formatCount(requests)} requests, of which{" "}
            {formatCount(Number(data.sampled_requests))} have been sampled since <Ago at={data.since} />.
          </p>
        </>
      )}
    </section>
  );
}
