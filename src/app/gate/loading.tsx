import { useEffect, useState } from "react";
import type { AuthState } from "../data/answers.ts";
import type { Refusal } from "../data/ask-server.ts";
import { Gate, Heading, Note } from "./gate.tsx";

/** Shows nothing at first, so that a quick answer does not flicker. */
const DELAY_MS = 200;

export function Loading({ state }: { state?: AuthState }) {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Gate state={state}>
      <output>{isLate && <span className="waiting">Waiting for the server</span>}</output>
    </Gate>
  );
}

interface FailureProps {
  state?: AuthState;
  error: Refusal;
  onRetry: () => void;
}

/** A page that could not be loaded: why, and what to do. */
export function LoadFailure({ state, error, onRetry }: FailureProps) {
  return (
    <Gate state={state}>
      <Heading
        title={error.code === "unreachable" ? "The server does not respond" : "This page cannot be loaded"}
      />
      <AskAgain error={error} onRetry={onRetry} />
    </Gate>
  );
}

/** The error of a request, from the server or the network, and a retry. */
export function AskAgain({ error, onRetry }: Pick<FailureProps, "error" | "onRetry">) {
  return (
    <>
      <Note kind="bad" isAlert>
        {error.message}
      </Note>
      <button className="btn btn-line btn-big" type="button" onClick={onRetry}>
        Try again
      </button>
    </>
  );
}
