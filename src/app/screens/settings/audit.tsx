import { useOrganization } from "../../data/organization.ts";
import { useOpened } from "../../data/use-opened.ts";
import { Head, Page } from "../../page/page.tsx";
import { NotAllowed } from "../../ui/not-allowed.tsx";
import { AuditPanel } from "./audit/audit-panel.tsx";
import { AuditTable } from "./audit/audit-table.tsx";
import { useAuditLog } from "./audit/use-audit-log.ts";
import { WithSide } from "./side-panel.tsx";
import { useSettingsCrumbs } from "./use-settings-crumbs.ts";
import "../../styles/settings-screens.css";

export function AuditScreen() {
  const { isOwner } = useOrganization();
  const above = useSettingsCrumbs();
  return (
    <Page title="Audit log" above={above}>
      <Head title="Audit log" lead="Who changed what, from where. Kept for 400 days, and append-only." />
      {isOwner ? <Log /> : <NotAllowed what="read the audit log" />}
    </Page>
  );
}

function Log() {
  const row = useOpened("row");
  const log = useAuditLog();
  const current = log.source.data?.find(({ id }) => id === row.value);
  return (
    <WithSide side={current && <AuditPanel event={current} onClose={row.close} />}>
      <AuditTable log={log} currentKey={row.value ?? undefined} onOpen={({ id }) => row.open(id)} />
    </WithSide>
  );
}
