import { Head, Page } from "../frame/page.tsx";

export function MissingScreen() {
  return (
    <Page title="There is no such page">
      <Head title="There is no such page" />
    </Page>
  );
}
