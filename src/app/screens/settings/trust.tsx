import { Head, Page } from "../../frame/page.tsx";

export function TrustScreen() {
  return (
    <Page title="Trust relationships">
      <Head title="Trust relationships" />
    </Page>
  );
}
