import { Head, Page } from "../../frame/page.tsx";

export function ProjectScreen() {
  return (
    <Page title="Project">
      <Head title="Project" />
    </Page>
  );
}
