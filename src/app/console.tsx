import { StrictMode, useEffect, useRef, useSyncExternalStore, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Route, Routes } from "react-router";
import { readSession, signInByLink, watchSession } from "./data/session.ts";
import { ErrorDetailPage } from "./pages/error-detail.tsx";
import { ErrorsPage } from "./pages/errors.tsx";
import { FlagsPage } from "./pages/flags.tsx";
import { HealthPage } from "./pages/health.tsx";
import { MissingPage } from "./pages/missing.tsx";
import { OverviewPage } from "./pages/overview.tsx";
import { PagesPage } from "./pages/pages.tsx";
import { RecordingPage } from "./pages/recording.tsx";
import { RecordingsPage } from "./pages/recordings.tsx";
import { SearchesPage } from "./pages/searches.tsx";
import { SurveysPage } from "./pages/surveys.tsx";
import { Shell } from "./shell.tsx";
import { Brand } from "./ui/brand.tsx";
import { PageBoundary } from "./ui/page-boundary.tsx";
import { SignInForm } from "./ui/sign-in.tsx";
import "./styles/console.css";

function Console() {
  return (
    <SessionGate>
      <Shell>
        <PageBoundary>
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
        </PageBoundary>
      </Shell>
    </SessionGate>
  );
}

/** The form alone before the first sign-in; over the page, which is kept, when a session ends in the middle. */
function SessionGate({ children }: { children: ReactNode }) {
  const session = useSyncExternalStore(watchSession, readSession);
  const isOut = session.state === "out";
  if (isOut && !session.wasIn)
    return (
      <main className="sign-in-page">
        <Brand />
        <SignInForm linkRefusal={session.linkRefusal} isAgain={false} />
      </main>
    );
  if (session.state === "entering" && !session.wasIn)
    return (
      <main className="sign-in-page">
        <Brand />
        <output className="note">Signing in...</output>
      </main>
    );
  return (
    <>
      {children}
      {isOut && <SignInDialog linkRefusal={session.linkRefusal} />}
    </>
  );
}

function SignInDialog({ linkRefusal }: { linkRefusal: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // Esc does not close it, because nothing can be read without a session.
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="sign-in-title"
      onCancel={(event) => event.preventDefault()}
    >
      <SignInForm linkRefusal={linkRefusal} isAgain />
    </dialog>
  );
}

// Opening a sign-in link in a tab with the console changes only the fragment.
addEventListener("hashchange", () => void signInByLink());
void signInByLink();

const element = document.querySelector("#console");
if (element)
  createRoot(element).render(
    <StrictMode>
      <BrowserRouter basename="/console">
        <Console />
      </BrowserRouter>
    </StrictMode>,
  );
