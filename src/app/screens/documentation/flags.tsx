import type { FlagReport } from "#telemetry/index.ts";
import { formatCount, formatShare } from "../../format.ts";
import { CodeBlock } from "../../ui/code-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Status } from "../../ui/status.tsx";
import type { TableColumn } from "../../ui/table/table-types.ts";
import { TablePage, useRangeReport } from "./table-page.tsx";

const ORDER = { key: "key", isDescending: false };

export function FlagsPage() {
  const read = useRangeReport<FlagReport[]>("flags");
  return (
    <TablePage
      title="Flags"
      lead={
        <>
          Switches for parts of the site, defined in <code>site.config.ts</code>. Readers who did not agree to
          analytics get none.
        </>
      }
      read={read}
      unit="flag"
      columns={columns}
      keyOf={(flag) => flag.key}
      textOf={(flag) => `${flag.key} ${flag.description}`}
      searchLabel="Name or description"
      order={ORDER}
      empty={<NoFlags />}
    />
  );
}

const columns: TableColumn<FlagReport>[] = [
  {
    key: "key",
    label: "Flag",
    value: (flag) => flag.key,
    render: (flag) => (
      <span className="row wrap">
        <code>{flag.key}</code>
        <span className="secondary">{flag.description}</span>
      </span>
    ),
  },
  {
    key: "state",
    label: "State",
    isResult: true,
    value: (flag) => Number(flag.isActive),
    render: (flag) => (
      <Status state={flag.isActive ? "succeeded" : "canceled"} word={flag.isActive ? "On" : "Off"} />
    ),
  },
  {
    key: "percentage",
    label: "Readers",
    isNumber: true,
    value: (flag) => flag.percentage,
    render: (flag) => `${flag.percentage} %`,
  },
  {
    key: "values",
    label: "Values given",
    isSortable: false,
    value: (flag) => flag.values.map((each) => `${each.value}: ${each.count}`).join(", "),
    render: (flag) => <Values flag={flag} />,
  },
];

function Values({ flag }: { flag: FlagReport }) {
  const total = flag.values.reduce((sum, each) => sum + each.count, 0);
  if (total === 0) return <span className="subtle">none in this range</span>;
  return (
    <span className="row wrap gap16">
      {flag.values.map((each) => (
        <span key={each.value}>
          <code>{each.value}</code> {formatCount(each.count)}{" "}
          <span className="subtle">{formatShare(each.count, total)}</span>
        </span>
      ))}
    </span>
  );
}

const SAMPLE = `telemetry: {
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
}`;

function NoFlags() {
  return (
    <EmptyState title="No flag is defined">
      <p>
        A flag turns on a part of the site for a share of the readers, the same readers at each visit. Define
        the first flag in <code>site.config.ts</code>; its values are counted here.
      </p>
      <CodeBlock name="site.config.ts" text={SAMPLE} />
    </EmptyState>
  );
}
