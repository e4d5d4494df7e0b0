import { Head, Page } from "../../frame/page.tsx";

export function MeScreen() {
  return (
    <Page title="Your profile">
      <Head title="Your profile" />
    </Page>
  );
}
