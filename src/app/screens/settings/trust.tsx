import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Project, TrustTest } from "#api/gen/json-types.ts";
import { useMinute } from "../../ui/use-minute.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { useOpened } from "../../data/use-opened.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";
import { WithSide } from "./side-panel.tsx";
import { exchangesQuery } from "./trust/exchanges-query.ts";
import { TrustPanel } from "./trust/trust-panel.tsx";
import { toTrustRows, type TrustRow } from "./trust/trust-rows.ts";
import { TrustTable } from "./trust/trust-table.tsx";
import { useSettingsCrumbs } from "./use-settings-crumbs.ts";
import "../../styles/settings-screens.css";

// Loaded when a relationship is opened: the list does not need them.
const TrustForm = lazy(async () => ({ default: (await import("./trust/trust-form.tsx")).TrustForm }));
const RefusedJob = lazy(async () => ({ default: (await import("./trust/refused-job.tsx")).RefusedJob }));
const TestTokenDialog = lazy(async () => ({
  default: (await import("./trust/test-token-dialog.tsx")).TestTokenDialog,
}));

export function TrustScreen() {
  const { isOwner } = useOrganization();
  const { projects, rows, countError } = useTrustRows();
  const creation = useOpened("new");
  const row = useOpened("row");
  const tester = useOpened("do");
  const [refused, setRefused] = useState<Refused | null>(null);
  const { open } = creation;
  const openNew = useCallback(() => open("1", { row: null }), [open]);
  const actions = useMemo<PageAction[]>(
    () => (isOwner ? [{ label: "New relationship", icon: "plus", shortcut: "N", run: openNew }] : []),
    [isOwner, openNew],
  );
  const onNew = isOwner ? openNew : undefined;
  const current = rows?.find(({ key }) => key === row.value);
  const shown = creation.value !== null && isOwner ? "new" : current?.key;
  const side = shown !== undefined && (
    <TrustSide key={shown} {...{ shown, current, refused }} projects={projects.data} onRefused={setRefused} />
  );
  return (
    <Page title="Trust relationships" above={useSettingsCrumbs()} actions={actions}>
      <Head
        title="Trust relationships"
        lead={`A CI job trades its provider’s OIDC token for a job token. No secret is stored.${isOwner ? "" : " Owners change them."}`}
        actions={<Actions onTest={() => tester.open("test")} onNew={onNew} />}
      />
      <WithSide side={side} isWide>
        <TrustTable
          rows={rows}
          source={projects}
          countError={countError}
          currentKey={row.value ?? undefined}
          onOpen={({ key }) => row.open(key, { new: null })}
          onNew={onNew}
        />
        <Suspense>{refused && refused.of === shown && <RefusedJob test={refused.test} />}</Suspense>
      </WithSide>
      <Suspense>
        {tester.value === "test" && (
          <TestTokenDialog rows={rows ?? []} initial={current?.key} onClose={tester.close} />
        )}
      </Suspense>
    </Page>
  );
}

/** Relationships of all projects, with their exchanges counted. */
function useTrustRows() {
  const { name: organization } = useOrganization();
  const projects = useQuery(projectsQuery(organization));
  const { data: exchanges, error: countError } = useQuery(exchangesQuery(organization));
  const now = useMinute();
  const rows = useMemo(
    () => projects.data && toTrustRows(projects.data, exchanges, now),
    [projects.data, exchanges, now],
  );
  return { projects, rows, countError: exchanges ? null : countError };
}

/** The newest or the chosen refused job, with the relationship that was shown then. */
interface Refused {
  of: string;
  test: TrustTest;
}

interface SideProps {
  /** "new", or the key of the current row. */
  shown: string;
  current: TrustRow | undefined;
  projects: readonly Project[] | undefined;
  refused: Refused | null;
  onRefused: (refused: Refused | null) => void;
}

/** The form, for owners; otherwise a summary. */
function TrustSide({ shown, current, projects = [], refused, onRefused }: SideProps) {
  const { isOwner } = useOrganization();
  const creation = useOpened("new");
  const row = useOpened("row");
  const navigate = useNavigate();
  const { pathname } = useLocation();
  if (!isOwner) return current && <TrustPanel row={current} onClose={row.close} />;
  return (
    <Suspense
      fallback={
        <div className="panel panel-body">
          <Loading what="the relationship" rows={8} />
        </div>
      }
    >
      <TrustForm
        row={shown === "new" ? undefined : current}
        projects={projects}
        refusedKey={refused?.of === shown ? refused.test.exchange_id : undefined}
        onRefused={(test) => onRefused(test && { of: shown, test })}
        onSaved={(key) => key !== row.value && row.open(key, { new: null })}
        onDeleted={() => void navigate(pathname, { replace: true })}
        onClose={creation.value !== null ? creation.close : row.close}
      />
    </Suspense>
  );
}

function Actions({ onTest, onNew }: { onTest: () => void; onNew: (() => void) | undefined }) {
  return (
    <>
      <button className="btn" type="button" onClick={onTest}>
        Test a token…
      </button>
      {onNew && (
        <button className="btn action" type="button" aria-keyshortcuts="N" onClick={onNew}>
          <Icon name="plus" />
          New relationship<kbd>N</kbd>
        </button>
      )}
    </>
  );
}
