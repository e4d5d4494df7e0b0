import { useLayoutEffect, useRef } from "react";
import { sendForm } from "../data/ask-server.ts";
import { settleIdentity } from "../data/confirming.ts";
import { Note } from "./gate.tsx";
import { AskAgain } from "./loading.tsx";
import { signInAddress } from "./next-page.ts";
import { ProofForm } from "./proof-form.tsx";
import { lostAllOf, type ProofQuestion, useProof } from "./use-proof.ts";
import { useAsked } from "./use-work.ts";

const PATH = "/auth/confirm";
const askWays = (path: string) => sendForm<ProofQuestion>(path, {});

/** Over a page in front of the application, which stays unchanged. */
export function IdentityDialog() {
  const element = useRef<HTMLDialogElement>(null);
  const [asked, again] = useAsked(`${PATH}/options`, askWays);
  // Closes while still in the page, so that the focus is restored.
  useLayoutEffect(() => {
    const { current } = element;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className="gate-dialog"
      aria-labelledby="identity"
      onCancel={(event) => {
        event.preventDefault();
        settleIdentity("canceled");
      }}
    >
      <div>
        <h2 id="identity">Confirm that it is you</h2>
        <p className="lead">Someone who gets hold of a signed-in browser should not be able to do this.</p>
      </div>
      {asked.status === "waiting" && <output className="waiting">Waiting for the server</output>}
      {asked.status === "failed" &&
        (asked.error.code === "unauthenticated" ? (
          <SessionEnded />
        ) : (
          <AskAgain error={asked.error} onRetry={again} />
        ))}
      {asked.status === "ready" && <Proof question={asked.data} />}
      <button className="btn btn-bare btn-big" type="button" onClick={() => settleIdentity("canceled")}>
        Cancel
      </button>
    </dialog>
  );
}

function Proof({ question }: { question: ProofQuestion }) {
  const form = useProof({ question, path: PATH, onProved: () => settleIdentity("confirmed") });
  if (form.isOver) return <SessionEnded />;
  return (
    <ProofForm form={form} failed="Your identity was not confirmed.">
      <p className="fine">{lostAllOf(question)}</p>
    </ProofForm>
  );
}

function SessionEnded() {
  return (
    <>
      <Note kind="warn" isAlert>
        Your session has ended.
      </Note>
      <a className="btn btn-action btn-big" href={signInAddress(location.pathname + location.search)}>
        Sign in again
      </a>
    </>
  );
}
