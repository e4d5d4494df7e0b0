import { Head, Page } from "../../frame/page.tsx";

export function UsageScreen() {
  return (
    <Page title="Usage">
      <Head title="Usage" />
    </Page>
  );
}
