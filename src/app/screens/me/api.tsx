import { Head, Page } from "../../frame/page.tsx";

export function ApiScreen() {
  return (
    <Page title="API reference">
      <Head title="API reference" />
    </Page>
  );
}
