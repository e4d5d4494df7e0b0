import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { NavLink, useParams } from "react-router";
import type { CacheNamespace } from "#api/gen/json-types.ts";
import { useAddress } from "../../data/address.ts";
import { isSettled } from "../../data/is-settled.ts";
import { useOrganization } from "../../data/organization.ts";
import { tokensQuery } from "../../data/queries.ts";
import { useOpened } from "../../data/use-opened.ts";
import { formatClockSeconds } from "../../format.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { Failure } from "../../ui/failure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Status } from "../../ui/status.tsx";
import { MissingScreen } from "../missing.tsx";
import {
  cacheMissesQuery,
  cacheSimulationQuery,
  cacheUsageQuery,
  cacheWritersQuery,
} from "./cache-queries.ts";
import { ToolMark } from "./tool-mark.tsx";
import { useRequestLines } from "./tool-requests.tsx";
import { CACHE_TOOLS, type CacheTool, findTool, pageOf } from "./tools.ts";
import { useRefusals } from "./use-refusals.ts";

const ResetDialog = lazy(async () => ({ default: (await import("./reset-cache.tsx")).ResetDialog }));
// These two are never shown at the same time.
const ConnectSteps = lazy(async () => ({ default: (await import("./connect-steps.tsx")).ConnectSteps }));
const ToolFigures = lazy(async () => ({ default: (await import("./tool-figures.tsx")).ToolFigures }));

/** `/cache/:tool`: how to connect the tool, until its first request; then its requests. */
export function CacheToolScreen() {
  const { tool: id } = useParams();
  const tool = findTool(id);
  return tool ? <ToolScreen key={tool.id} tool={tool} /> : <MissingScreen />;
}

function ToolScreen({ tool }: { tool: CacheTool }) {
  const { name } = useOrganization();
  const usage = useQuery(cacheUsageQuery(name));
  const tokens = useQuery(tokensQuery(name));
  const writers = useQuery(cacheWritersQuery(name, tool.id));
  const misses = useQuery(cacheMissesQuery(name, tool.id));
  const simulation = useQuery(cacheSimulationQuery(name, tool.id));
  const { read } = useRefusals(name);
  const { value: asked, open, close } = useOpened("do");
  const namespace = usage.data?.find((each) => each.tool === tool.id);
  const above = useMemo(() => [{ label: "Cache", to: addressOf(name, "cache") }], [name]);
  const actions = useMemo(
    (): PageAction[] => [
      {
        label: `Reset the cache of ${tool.name}`,
        icon: "trash",
        command: `millrace cache reset --tool ${tool.id}`,
        run: () => open("reset"),
      },
    ],
    [open, tool],
  );
  const isWhole = isSettled(usage, tokens, writers, misses, simulation, read);
  return (
    <Page title={tool.name} above={above} {...(namespace && { actions })}>
      {usage.data && isWhole ? (
        <Tool {...{ tool, namespace, usage }} onReset={() => open("reset")} />
      ) : (
        <>
          <Head title={tool.name} lead={tool.saves} />
          {usage.error ? (
            <Failure
              what={`The cache of ${tool.name}`}
              error={usage.error}
              onRetry={() => void usage.refetch()}
            />
          ) : (
            <Loading what={`the cache of ${tool.name}`} />
          )}
        </>
      )}
      {asked === "reset" && namespace && (
        <Suspense fallback={null}>
          <ResetDialog {...{ tool, namespace }} onClose={close} />
        </Suspense>
      )}
    </Page>
  );
}

const VIEWS = [
  { value: "figures", label: "Figures" },
  { value: "connect", label: "Set-up" },
] as const;
type View = (typeof VIEWS)[number]["value"];

interface Usage {
  error: Error | null;
  dataUpdatedAt: number;
}

interface Props {
  tool: CacheTool;
  /** Undefined: no request has arrived yet. */
  namespace: CacheNamespace | undefined;
  usage: Usage;
  onReset: () => void;
}

/** Readers of the connection steps keep them when the first request arrives. */
function Tool({ tool, namespace, usage, onReset }: Props) {
  const { name } = useOrganization();
  const { params, change } = useAddress();
  const { refusals } = useRefusals(name);
  const lines = useRequestLines(tool, { namespace, refusals });
  const [opened] = useState<View>(namespace ? "figures" : "connect");
  const view = namespace
    ? (VIEWS.find(({ value }) => value === params.get("view"))?.value ?? opened)
    : opened;
  return (
    <>
      <Head
        title={
          <span className="row gap12">
            <ToolMark tool={tool.id} />
            {view === "connect" ? `Connect ${tool.name}` : tool.name}
          </span>
        }
        beside={<Connection isConnected={namespace !== undefined} />}
        lead={tool.saves}
        actions={
          <>
            {namespace && (
              <Segmented
                label="View"
                options={VIEWS}
                value={view}
                onChange={(next) => change({ view: next })}
              />
            )}
            <a className="btn" href={pageOf(tool)}>
              <Icon name="bookOpen" />
              Documentation
            </a>
          </>
        }
      />
      <ToolTabs />
      <Stale usage={usage} />
      <Suspense fallback={<Loading what={`the cache of ${tool.name}`} />}>
        {view === "connect" || !namespace ? (
          <ConnectSteps {...{ tool, namespace, lines }} />
        ) : (
          <ToolFigures {...{ tool, namespace, lines, onReset }} />
        )}
      </Suspense>
    </>
  );
}

/** The stream of events may continue while nothing can be counted. */
function Stale({ usage: { error, dataUpdatedAt } }: { usage: Usage }) {
  return (
    <output className={error ? "note warn" : "vh"}>
      {error && (
        <>
          <Icon name="triangleAlert" />
          <span title={error.message}>
            <b>The cache cannot be read.</b> This data is from {formatClockSeconds(dataUpdatedAt)}. It reloads
            by itself.
          </span>
        </>
      )}
    </output>
  );
}

/** Present in the document before it changes, so that the change is announced. */
function Connection({ isConnected }: { isConnected: boolean }) {
  return (
    <output>
      {isConnected ? (
        <Status state="succeeded" word="Connected" isPill />
      ) : (
        <span className="status pill run">
          <span className="waiting">Waiting for the first request</span>
        </span>
      )}
    </output>
  );
}

function ToolTabs() {
  const { name: organization } = useOrganization();
  const tabs = useRef<HTMLElement>(null);
  // On narrow screens the last tabs are out of sight.
  useEffect(() => {
    const own = tabs.current?.querySelector<HTMLElement>("[aria-current]");
    if (tabs.current && own) tabs.current.scrollLeft = own.offsetLeft - tabs.current.clientWidth / 3;
  }, []);
  return (
    <nav ref={tabs} className="tabs" aria-label="Build tools">
      {CACHE_TOOLS.map(({ id, name }) => (
        <NavLink key={id} to={addressOf(organization, `cache/${id}`)} end>
          {name}
        </NavLink>
      ))}
    </nav>
  );
}
