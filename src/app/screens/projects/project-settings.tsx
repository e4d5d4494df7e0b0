import { Head, Page } from "../../frame/page.tsx";

export function ProjectSettingsScreen() {
  return (
    <Page title="Settings">
      <Head title="Settings" />
    </Page>
  );
}
