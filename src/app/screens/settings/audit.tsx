import { Head, Page } from "../../frame/page.tsx";

export function AuditScreen() {
  return (
    <Page title="Audit log">
      <Head title="Audit log" />
    </Page>
  );
}
