import type { FlagReport } from "#telemetry/index.ts";
import { useRange } from "../data/range.ts";
import { useReport } from "../data/use-report.ts";
import { formatCount, formatShare } from "../format.ts";
import { DataTable, NAME_ORDERS, type Column } from "../ui/data-table.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { Empty, Show } from "../ui/states.tsx";

export function FlagsPage() {
  const { query, range } = useRange();
  const path = `flags?${query}`;
  const [report, again] = useReport<FlagReport[]>(path);
  return (
    <>
      <PageHead title="Flags" exports={{ path, name: `flags-${range.key}` }}>
        <p className="note">
          Switches for parts of the site, defined in <code>site.config.ts</code>. Readers who did not agree to
          analytics get none.
        </p>
      </PageHead>
      <Show report={report} again={again} what="The flags">
        {(flags) =>
          flags.length === 0 ? (
            <NoFlags />
          ) : (
            <DataTable
              caption="Flags"
              rows={flags}
              columns={columns}
              keyOf={(flag) => flag.key}
              textOf={(flag) => `${flag.key} ${flag.description}`}
              defaultOrder={{ key: "key", isDescending: false }}
              unit="flag"
            />
          )
        }
      </Show>
    </>
  );
}

const columns: Column<FlagReport>[] = [
  {
    key: "key",
    label: "Flag",
    orders: NAME_ORDERS,
    sortValue: (flag) => flag.key,
    render: (flag) => (
      <span className="flag-name">
        <code>{flag.key}</code>
        <span>{flag.description}</span>
      </span>
    ),
  },
  {
    key: "state",
    label: "State",
    sortValue: (flag) => Number(flag.isActive),
    render: (flag) => (
      <span className="state" data-on={flag.isActive}>
        {flag.isActive ? "On" : "Off"}
      </span>
    ),
  },
  {
    key: "percentage",
    label: "Of readers",
    isNumber: true,
    sortValue: (flag) => flag.percentage,
    render: (flag) => `${flag.percentage} %`,
  },
  { key: "values", label: "Values given", isMinor: true, render: (flag) => <Values flag={flag} /> },
];

function Values({ flag }: { flag: FlagReport }) {
  const total = flag.values.reduce((sum, each) => sum + each.count, 0);
  if (total === 0) return <span className="of">none in this range</span>;
  return (
    <span className="flag-values">
      {flag.values.map((each) => (
        <span key={each.value}>
          <code>{each.value}</code> {formatCount(each.count)}{" "}
          <span className="of">{formatShare(each.count, total)}</span>
        </span>
      ))}
    </span>
  );
}

function NoFlags() {
  return (
    <Empty title="No flag is defined">
      <p>
        A flag switches a part of the site on for a share of the readers, the same ones at each visit. Name
        the first one in <code>site.config.ts</code>; its values are counted here.
      </p>
      <pre className="sample">
        <code>{`telemetry: {
  flags: [
    {
      key: "new-outline",
      description: "The outline with numbers",
      isActive: true,
      percentage: 50,
      languages: [],
      paths: ["/docs"],
      variants: [],      // empty: on or off
    },
  ],
}`}</code>
      </pre>
    </Empty>
  );
}
