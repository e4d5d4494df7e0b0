import { lazy, type ReactNode, StrictMode, Suspense, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import type { AuthState } from "./data/answers.ts";
import { readAnswer } from "./data/ask-server.ts";
import { isIdentityAsked, watchIdentity } from "./data/confirming.ts";
import { IdentityBoundary } from "./gate/identity-boundary.tsx";
import { DevicePage } from "./gate/device.tsx";
import { Gate, Heading } from "./gate/gate.tsx";
import { JoinPage } from "./gate/join.tsx";
import { LoadFailure, Loading } from "./gate/loading.tsx";
import { MailPage } from "./gate/mail.tsx";
import { SignInPage } from "./gate/sign-in.tsx";
import { StartPage } from "./gate/start.tsx";
import { useAsked } from "./gate/use-work.ts";
import { GateBoundary } from "./gate/gate-boundary.tsx";
import "./styles/app.css";

/** Few people need it: a sign-in does not wait for its code. */
const SecondStepPage = lazy(async () => ({
  default: (await import("./gate/second-step.tsx")).SecondStepPage,
}));
const IdentityDialog = lazy(async () => ({
  default: (await import("./gate/identity-dialog.tsx")).IdentityDialog,
}));

/** The pages in front of the application. Each is a page load: nothing needs to stay in memory between them. */
function App() {
  const [state, again] = useAsked("/auth/state", (path) => readAnswer<AuthState>(path));
  if (state.status === "waiting") return <Loading />;
  if (state.status === "failed") return <LoadFailure error={state.error} onRetry={again} />;
  return (
    <Suspense fallback={<Loading state={state.data} />}>{pageOf(location.pathname, state.data)}</Suspense>
  );
}

/** Asks people to confirm their identity before an act that requires it. */
function Identity() {
  const isAsked = useSyncExternalStore(watchIdentity, isIdentityAsked);
  if (!isAsked) return null;
  return (
    <IdentityBoundary>
      <IdentityDialog />
    </IdentityBoundary>
  );
}

function pageOf(path: string, state: AuthState): ReactNode {
  const [, , place = "", key = "", ...rest] = path.replace(/\/$/, "").split("/");
  if (rest.length > 0) return <MissingPage state={state} />;
  const linkKey = decodeKey(key);
  if (place === "start") return <StartPage state={state} linkKey={linkKey} />;
  if (place === "mail" && key) return <MailPage state={state} linkKey={linkKey} />;
  if (place === "join" && key) return <JoinPage state={state} linkKey={linkKey} />;
  if (key) return <MissingPage state={state} />;
  if (place === "sign-in") return <SignInPage state={state} />;
  if (place === "second-step") return <SecondStepPage state={state} />;
  if (place === "device") return <DevicePage state={state} />;
  return <MissingPage state={state} />;
}

/** A key that is not a valid escape is passed on unchanged: the server does not know it. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function MissingPage({ state }: { state: AuthState }) {
  return (
    <Gate state={state}>
      <Heading title="There is no such page" lead={<span className="mono">{location.pathname}</span>} />
      <a className="btn btn-line btn-big" href="/app">
        Go to the start page
      </a>
    </Gate>
  );
}

const element = document.querySelector("#app");
if (element)
  createRoot(element).render(
    <StrictMode>
      <GateBoundary>
        <App />
        <Identity />
      </GateBoundary>
    </StrictMode>,
  );
