import { Head, Page } from "../../frame/page.tsx";

export function ProjectsScreen() {
  return (
    <Page title="Projects">
      <Head title="Projects" />
    </Page>
  );
}
