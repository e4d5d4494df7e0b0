import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { isSettled } from "../../data/is-settled.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";
import { capabilitiesQuery, layerCachesQuery } from "./builders-queries.ts";
import { Capabilities } from "./capabilities.tsx";
import { LayerCaches } from "./layer-caches.tsx";
import { Machines } from "./machines.tsx";
import "../../styles/builders.css";

/** The server's capabilities, its machines, and its builders' layer caches. */
export function BuildersScreen() {
  const { name } = useOrganization();
  const client = useQueryClient();
  const can = useQuery(capabilitiesQuery(name));
  const { data, error, refetch, isFetching } = can;
  // Otherwise the parts below would move.
  const isWhole = isSettled(can, useQuery(layerCachesQuery(name)), useQuery(projectsQuery(name)));
  const check = useCallback(() => {
    void client.invalidateQueries({ queryKey: capabilitiesQuery(name).queryKey });
    void client.invalidateQueries({ queryKey: layerCachesQuery(name).queryKey });
  }, [client, name]);
  const actions = useMemo(
    (): PageAction[] => [{ label: "Check again", icon: "rotate", shortcut: "R", run: check }],
    [check],
  );
  return (
    <Page title="Builders" actions={actions}>
      <Head
        title="Builders"
        lead="What this server can run, and the one command for what it cannot run yet."
        actions={
          <button className="btn" type="button" aria-keyshortcuts="R" aria-busy={isFetching} onClick={check}>
            <Icon name="rotate" />
            Check again
            <kbd aria-hidden="true">R</kbd>
          </button>
        }
      />
      {isWhole ? (
        <>
          {data && data.machines.length > 0 && <Machines machines={data.machines} />}
          {data && <Capabilities capabilities={data.capabilities} machines={data.machines} />}
          {!data && error && (
            <Failure what="What can run here" error={error} onRetry={() => void refetch()} />
          )}
          <LayerCaches />
        </>
      ) : (
        <Loading what="what can run here" rows={5} />
      )}
    </Page>
  );
}
