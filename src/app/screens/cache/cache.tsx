import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { CacheNamespace } from "#api/gen/json-types.ts";
import { useAddress } from "../../data/address.ts";
import { isSettled } from "../../data/is-settled.ts";
import { useOrganization } from "../../data/organization.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { sumTools } from "./cache-figures.ts";
import { cacheUsageQuery, largeEntriesQuery } from "./cache-queries.ts";
import { ConnectedTools } from "./connected-tools.tsx";
import { LargestEntries } from "./largest-entries.tsx";
import { CONNECT_ID, NotConnected } from "./not-connected.tsx";
import type { Refusal } from "./refusals.ts";
import { UseCharts } from "./use-charts.tsx";
import { useRefusals } from "./use-refusals.ts";

const PERIODS = [
  { value: "1", label: "Today", words: "Today, since midnight UTC" },
  { value: "7", label: "7 days", words: "In the last 7 days" },
  { value: "14", label: "14 days", words: "In the last 14 days" },
] as const;
type Period = (typeof PERIODS)[number];

const [TODAY] = PERIODS;

/** Also moves the keyboard focus there. */
function goToTools(): void {
  document.querySelector<HTMLElement>(`#${CONNECT_ID} a`)?.focus();
}

const ACTIONS: readonly PageAction[] = [
  { label: "Connect a tool", icon: "plus", shortcut: "N", run: goToTools },
];

export function CacheScreen() {
  const { name } = useOrganization();
  const { params, change } = useAddress();
  const period = PERIODS.find(({ value }) => value === params.get("days")) ?? TODAY;
  const usage = useQuery(cacheUsageQuery(name));
  const entries = useQuery(largeEntriesQuery(name));
  const { read, refusals } = useRefusals(name);
  const { data } = usage;
  const isWhole = isSettled(usage, entries, read);
  return (
    <Page title="Cache" actions={ACTIONS}>
      <Head
        title="Cache"
        lead={`What build tools requested, and whether the cache had it. On a miss, the tool does the work. ${period.words}.`}
        actions={
          <>
            <Segmented
              label="Time"
              options={PERIODS}
              value={period.value}
              onChange={(value) => change({ days: value === TODAY.value ? null : value })}
            />
            <button className="btn" type="button" aria-keyshortcuts="N" onClick={goToTools}>
              <Icon name="plus" />
              Connect a tool
            </button>
          </>
        }
      />
      {data && isWhole ? (
        <Cache {...{ period, refusals, source: usage, namespaces: data }} />
      ) : usage.error ? (
        <Failure what="The cache" error={usage.error} onRetry={() => void usage.refetch()} />
      ) : (
        <Loading what="the cache" />
      )}
    </Page>
  );
}

interface Props {
  period: Period;
  namespaces: CacheNamespace[];
  source: Parameters<typeof ConnectedTools>[0]["source"];
  refusals: readonly Refusal[];
}

function Cache({ period, namespaces, source, refusals }: Props) {
  const days = useMemo(() => sumTools(namespaces), [namespaces]);
  const connected = namespaces.map(({ tool }) => tool);
  if (connected.length === 0)
    return (
      <>
        <EmptyState title="No build tool has used this cache yet">
          <p>
            A connected tool does each piece of work once, for every machine and everyone. Choose a tool: its
            page has the lines to copy and shows the first request when it arrives.
          </p>
        </EmptyState>
        <NotConnected connected={connected} refusals={refusals} />
      </>
    );
  return (
    <>
      <UseCharts days={days} />
      <ConnectedTools days={Number(period.value)} source={source} />
      <div className="grid2">
        <LargestEntries />
        <NotConnected connected={connected} refusals={refusals} />
      </div>
    </>
  );
}
