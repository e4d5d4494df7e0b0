import type { ReactNode } from "react";

interface StatusPageProps {
  startedAt: string;
  pages: number;
  records: number;
  indexBytes: number;
  provider: string;
  isSearching: boolean;
  searchMs: number;
  /** Names of parts. */
  inRelease: readonly string[];
  toCome: readonly string[];
}

const conjunction = new Intl.ListFormat("en", { type: "conjunction" });

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} KB`;

/** The parts of the service that run in this process, measured for this request. */
export function StatusPage(status: StatusPageProps) {
  return (
    <main className="error-page" id="content">
      <div>
        <header className="doc-title">
          <h1>Status</h1>
          <p className="lead">What is running on this site, measured when you opened this page.</p>
        </header>
        <div className="prose">
          <h2>Parts of the service</h2>
          <div className="table-wrap">
            <table>
              <thead>
                <tr>
                  <th scope="col">Part</th>
                  <th scope="col">State</th>
                </tr>
              </thead>
              <tbody>
                {rowsOf(status).map(([part, state, details]) => (
                  <tr key={part}>
                    <td style={{ whiteSpace: "normal" }}>
                      <strong>{part}</strong>
                      <br />
                      {details}
                    </td>
                    <td>{state}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      </div>
    </main>
  );
}

type Row = [part: string, state: string, details: ReactNode];

function rowsOf({ isSearching, searchMs, ...status }: StatusPageProps): Row[] {
  return [
    [
      "Documentation",
      "Running",
      `${status.pages} pages, since ${status.startedAt.slice(0, 16).replace("T", " ")} UTC`,
    ],
    [
      "Search",
      isSearching ? "Running" : "Not responding",
      isSearching
        ? `${status.provider}: ${status.records} records, ${kilobytes(status.indexBytes)}, answered in ${searchMs} ms`
        : "The search engine did not respond to this page's own query.",
    ],
    [
      conjunction.format(status.inRelease),
      "In this release",
      "At this address, for anyone with an account or a token.",
    ],
    ...(status.toCome.length > 0 ? [rowToCome(status.toCome)] : []),
  ];
}

const rowToCome = (toCome: StatusPageProps["toCome"]): Row => [
  conjunction.format(toCome),
  "Preview",
  <>
    Documented ahead of its release. See <a href="/docs/core-concepts/what-exists">what exists today</a>.
  </>,
];
