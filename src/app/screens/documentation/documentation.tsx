/** `/console`: what readers of the documentation do and miss, for operators. */
import { type ComponentType, lazy } from "react";
import { Route, Routes } from "react-router";
import { useHere } from "../../data/organization.ts";
import { Head, Page } from "../../page/page.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { MissingScreen } from "../missing.tsx";

function page<Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) {
  return lazy(async (): Promise<{ default: ComponentType }> => ({ default: (await load())[name] }));
}

const OverviewPage = page(() => import("./overview.tsx"), "OverviewPage");
const SearchesPage = page(() => import("./searches.tsx"), "SearchesPage");
const ProposalsPage = page(() => import("./proposals/proposals.tsx"), "ProposalsPage");
const ExplainPage = page(() => import("./explain/explain.tsx"), "ExplainPage");
const PagesPage = page(() => import("./pages.tsx"), "PagesPage");
const MissingPagesPage = page(() => import("./missing/missing-pages.tsx"), "MissingPagesPage");
const ErrorsPage = page(() => import("./errors.tsx"), "ErrorsPage");
const ErrorDetailPage = page(() => import("./error-detail.tsx"), "ErrorDetailPage");
const RecordingsPage = page(() => import("./recordings.tsx"), "RecordingsPage");
const RecordingPage = page(() => import("./recording.tsx"), "RecordingPage");
const SurveysPage = page(() => import("./surveys.tsx"), "SurveysPage");
const FlagsPage = page(() => import("./flags.tsx"), "FlagsPage");
const HealthPage = page(() => import("./health.tsx"), "HealthPage");

export function DocumentationScreens() {
  const { user } = useHere();
  if (!user.is_operator) return <ForOperators />;
  return (
    <Routes>
      <Route path="/" element={<OverviewPage />} />
      <Route path="/searches" element={<SearchesPage />} />
      <Route path="/proposals" element={<ProposalsPage />} />
      <Route path="/explain" element={<ExplainPage />} />
      <Route path="/pages" element={<PagesPage />} />
      <Route path="/missing" element={<MissingPagesPage />} />
      <Route path="/errors" element={<ErrorsPage />} />
      <Route path="/errors/:fingerprint" element={<ErrorDetailPage />} />
      <Route path="/recordings" element={<RecordingsPage />} />
      <Route path="/recordings/:sessionId" element={<RecordingPage />} />
      <Route path="/surveys" element={<SurveysPage />} />
      <Route path="/flags" element={<FlagsPage />} />
      <Route path="/health" element={<HealthPage />} />
      <Route path="*" element={<MissingScreen />} />
    </Routes>
  );
}

function ForOperators() {
  return (
    <Page title="Documentation">
      <Head title="Documentation" />
      <EmptyState
        title={
          <span className="row">
            <Icon name="lock" />
            Only owners can see the documentation's figures
          </span>
        }
      >
        <p>
          These pages are for the owners of this server's first organization, and you are not one of them. Any
          owner can make you an owner.
        </p>
        <div className="row wrap">
          <a className="btn" href="/docs">
            Read the documentation
          </a>
        </div>
      </EmptyState>
    </Page>
  );
}
