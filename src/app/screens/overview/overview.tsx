import { Head, Page } from "../../frame/page.tsx";

export function OverviewScreen() {
  return (
    <Page title="Overview">
      <Head title="Overview" />
    </Page>
  );
}
