import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { TrustTest } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { useOpened } from "../../data/use-opened.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { WithSide } from "./side-panel.tsx";
import { exchangesQuery } from "./trust/exchanges-query.ts";
import { RefusedJob } from "./trust/refused-job.tsx";
import { TestTokenDialog } from "./trust/test-token-dialog.tsx";
import { TrustForm } from "./trust/trust-form.tsx";
import { TrustPanel } from "./trust/trust-panel.tsx";
import { toTrustRows } from "./trust/trust-rows.ts";
import { TrustTable } from "./trust/trust-table.tsx";
import { useSettingsCrumbs } from "./use-settings-crumbs.ts";
import "../../styles/settings-screens.css";

export function TrustScreen() {
  const { name: organization, isOwner } = useOrganization();
  const projects = useQuery(projectsQuery(organization));
  const { data: exchanges } = useQuery(exchangesQuery(organization));
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const creation = useOpened("new");
  const row = useOpened("row");
  const tester = useOpened("do");
  const [refused, setRefused] = useState<{ of: string; test: TrustTest } | null>(null);
  const { open } = creation;
  const actions = useMemo<PageAction[]>(
    () =>
      isOwner
        ? [
            {
              label: "New relationship",
              icon: "plus",
              shortcut: "N",
              run: () => open("1", { row: null }),
            } as const,
          ]
        : [],
    [isOwner, open],
  );
  const rows = useMemo(
    () => projects.data && toTrustRows(projects.data, exchanges ?? []),
    [projects.data, exchanges],
  );
  const current = rows?.find(({ key }) => key === row.value);
  const shown = creation.value !== null && isOwner ? "new" : current?.key;
  const close = creation.value !== null ? creation.close : row.close;
  const side =
    shown === undefined ? null : isOwner ? (
      <TrustForm
        key={shown}
        row={shown === "new" ? undefined : current}
        projects={projects.data ?? []}
        refusedKey={refused?.of === shown ? refused.test.exchange_id : undefined}
        onRefused={(test) => setRefused(test && { of: shown, test })}
        onSaved={(key) => key !== row.value && row.open(key, { new: null })}
        onDeleted={() => void navigate(pathname, { replace: true })}
        onClose={close}
      />
    ) : (
      current && <TrustPanel row={current} onClose={close} />
    );
  const main = (
    <>
      <TrustTable
        rows={rows}
        source={projects}
        currentKey={row.value ?? undefined}
        onOpen={({ key }) => row.open(key, { new: null })}
        onNew={isOwner ? () => open("1", { row: null }) : undefined}
      />
      {refused && refused.of === shown && <RefusedJob test={refused.test} />}
    </>
  );
  return (
    <Page title="Trust relationships" above={useSettingsCrumbs()} actions={actions}>
      <Head
        title="Trust relationships"
        lead={
          <>
            A CI job trades its provider’s OIDC token for a job token. No secret is stored.
            {!isOwner && " Owners change them."}
          </>
        }
        actions={
          <Actions
            onTest={() => tester.open("test")}
            onNew={isOwner ? () => open("1", { row: null }) : undefined}
          />
        }
      />
      <WithSide side={side} isWide>
        {main}
      </WithSide>
      {tester.value === "test" && (
        <TestTokenDialog rows={rows ?? []} initial={current?.key} onClose={tester.close} />
      )}
    </Page>
  );
}

function Actions({ onTest, onNew }: { onTest: () => void; onNew: (() => void) | undefined }) {
  return (
    <>
      <button className="btn" type="button" onClick={onTest}>
        Test a token…
      </button>
      {onNew && (
        <button className="btn act" type="button" aria-keyshortcuts="N" onClick={onNew}>
          <Icon name="plus" />
          New relationship<kbd>N</kbd>
        </button>
      )}
    </>
  );
}
