import { Head, Page } from "../frame/page.tsx";

export function NoOrganization() {
  return (
    <Page title="No organization">
      <Head title="No organization" />
    </Page>
  );
}
