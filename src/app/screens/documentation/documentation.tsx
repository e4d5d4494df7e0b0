/** `/console`: what readers of the documentation do and miss, for those who operate the server. */
import { Route, Routes } from "react-router";
import { ErrorDetailPage } from "../../pages/error-detail.tsx";
import { ErrorsPage } from "../../pages/errors.tsx";
import { FlagsPage } from "../../pages/flags.tsx";
import { HealthPage } from "../../pages/health.tsx";
import { MissingPage } from "../../pages/missing.tsx";
import { OverviewPage } from "../../pages/overview.tsx";
import { PagesPage } from "../../pages/pages.tsx";
import { RecordingPage } from "../../pages/recording.tsx";
import { RecordingsPage } from "../../pages/recordings.tsx";
import { SearchesPage } from "../../pages/searches.tsx";
import { SurveysPage } from "../../pages/surveys.tsx";

export function DocumentationScreens() {
  return (
    <Routes>
      <Route path="/" element={<OverviewPage />} />
      <Route path="/searches" element={<SearchesPage />} />
      <Route path="/pages" element={<PagesPage />} />
      <Route path="/errors" element={<ErrorsPage />} />
      <Route path="/errors/:fingerprint" element={<ErrorDetailPage />} />
      <Route path="/recordings" element={<RecordingsPage />} />
      <Route path="/recordings/:sessionId" element={<RecordingPage />} />
      <Route path="/surveys" element={<SurveysPage />} />
      <Route path="/flags" element={<FlagsPage />} />
      <Route path="/health" element={<HealthPage />} />
      <Route path="*" element={<MissingPage />} />
    </Routes>
  );
}
