import { Head, Page } from "../../frame/page.tsx";

export function MembersScreen() {
  return (
    <Page title="Members">
      <Head title="Members" />
    </Page>
  );
}
