import type { ReactNode } from "react";
import type { IngestHealth } from "#telemetry/index.ts";
import { formatCount } from "../../format.ts";
import { ReaderText } from "../../ui/reader-text.tsx";
import { ScrollFrame } from "../../ui/scroll-frame.tsx";

interface CountTableProps {
  title: string;
  /** Heads of the names, then of each column of figures. */
  heads: readonly [string, ...string[]];
  rows: readonly { name: ReactNode; key: string; counts: readonly number[] }[];
  empty: ReactNode;
}

/** Names with their figures; too short to be sorted or searched. */
export function CountTable({ title, heads: [first, ...heads], rows, empty }: CountTableProps) {
  return (
    <section className="section">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="panel panel-body text-xs muted">{empty}</p>
      ) : (
        <ScrollFrame className="table-panel" label={title}>
          <table className="table keep counts">
            <thead>
              <tr>
                <th scope="col">{first}</th>
                {heads.map((head) => (
                  <th key={head} scope="col" className="align-right">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, key, counts }) => (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  {heads.map((head, index) => (
                    <td key={head} className="align-right">
                      <span className="number">{formatCount(counts[index] ?? 0)}</span>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      )}
    </section>
  );
}

const SERVICE_NAMES = { posthog: "PostHog", sentry: "Sentry", algolia: "Algolia" };

export function Forwarding({ services }: { services: IngestHealth["forwarding"] }) {
  return (
    <CountTable
      title="Forwarding"
      heads={["Service", "Waiting", "Sent", "Failed"]}
      rows={services.map((each) => ({
        key: each.service,
        name: (
          <>
            {SERVICE_NAMES[each.service]}
            {each.lastError && (
              <span className="text-fail">
                {" "}
                <ReaderText text={each.lastError} length={200} />
              </span>
            )}
          </>
        ),
        counts: [each.waiting, each.sent, each.failed],
      }))}
      empty={
        <>
          Everything stays on this server. With <code>POSTHOG_HOST</code> and <code>POSTHOG_KEY</code>,{" "}
          <code>SENTRY_DSN</code> or <code>ALGOLIA_INSIGHTS_KEY</code> set, a copy goes to those services.
        </>
      }
    />
  );
}
