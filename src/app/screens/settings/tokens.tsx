import { Head, Page } from "../../frame/page.tsx";

export function TokensScreen() {
  return (
    <Page title="Tokens">
      <Head title="Tokens" />
    </Page>
  );
}
