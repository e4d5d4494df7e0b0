import type { IngestHealth } from "#telemetry/index.ts";
import { formatCount } from "../format.ts";
import { ScrollFrame } from "../ui/scroll-frame.tsx";
import { ReaderText } from "../ui/reader-text.tsx";

interface CountTableProps {
  title: string;
  head: [string, string];
  rows: [name: string, count: number][];
  empty: string;
}

export function CountTable({ title, head, rows, empty }: CountTableProps) {
  return (
    <section className="counts">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="note">{empty}</p>
      ) : (
        <ScrollFrame label={title}>
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">{head[0]}</th>
                <th scope="col" className="is-number">
                  {head[1]}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, count]) => (
                <tr key={name}>
                  <th scope="row">
                    <ReaderText text={name} length={100} />
                  </th>
                  <td className="is-number">{formatCount(count)}</td>
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
    <section className="counts">
      <h2>Forwarding</h2>
      {services.length === 0 ? (
        <p className="note">
          Everything stays on this server. With <code>POSTHOG_HOST</code> and <code>POSTHOG_KEY</code>,{" "}
          <code>SENTRY_DSN</code> or <code>ALGOLIA_INSIGHTS_KEY</code> set, a copy goes to those services.
        </p>
      ) : (
        <ScrollFrame label="Forwarding">
          <table className="data-table">
            <thead>
              <tr>
                <th scope="col">Service</th>
                {["Waiting", "Sent", "Failed"].map((head) => (
                  <th key={head} scope="col" className="is-number">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {services.map((each) => (
                <tr key={each.service}>
                  <th scope="row">
                    {SERVICE_NAMES[each.service]}
                    {each.lastError && (
                      <span className="bad-note">
                        <ReaderText text={each.lastError} length={200} />
                      </span>
                    )}
                  </th>
                  {[each.waiting, each.sent, each.failed].map((count, index) => (
                    // The three columns, in their order.
                    // oxlint-disable-next-line react/no-array-index-key
                    <td key={index} className="is-number">
                      {formatCount(count)}
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
