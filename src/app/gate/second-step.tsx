import { useEffect } from "react";
import type { AuthState, Next } from "../data/answers.ts";
import { sendForm } from "../data/ask-server.ts";
import { Gate, Heading, Name, Note } from "./gate.tsx";
import { LoadFailure, Loading } from "./loading.tsx";
import { goOn, safeNext, signInAgainAddress, wantedNext } from "./next-page.ts";
import { ProofForm } from "./proof-form.tsx";
import { tellSignedIn, whenSignedIn } from "./session-news.ts";
import { type ProofQuestion, useProof } from "./use-proof.ts";
import { useAsked } from "./use-work.ts";

interface Props {
  state: AuthState;
}

const PATH = "/auth/second-step";
const askWays = (path: string) => sendForm<ProofQuestion>(path, {});

/** `/app/second-step?next=`: with two-step sign-in on, every way to sign in leads here. */
export function SecondStepPage({ state }: Props) {
  const [asked, again] = useAsked(`${PATH}/options`, askWays);
  if (asked.status === "waiting") return <Loading state={state} />;
  if (asked.status === "ready") return <SecondStep state={state} question={asked.data} />;
  if (asked.error.code !== "unauthenticated")
    return <LoadFailure state={state} error={asked.error} onRetry={again} />;
  return <Over state={state} />;
}

function SecondStep({ state, question }: Props & { question: ProofQuestion }) {
  const form = useProof<Next>({
    question,
    path: PATH,
    body: { next: safeNext(wantedNext(), location.origin) },
    onProved({ next }) {
      tellSignedIn();
      goOn(next);
    },
  });
  if (form.isOver) return <Over state={state} />;
  return (
    <Gate state={state}>
      <Heading
        title="One more step"
        lead={
          question.name ? (
            <>
              Two-step sign-in is on for <Name>{question.name}</Name>.
            </>
          ) : (
            "Two-step sign-in is on for you."
          )
        }
      />
      <ProofForm form={form} failed="You are not signed in.">
        <p className="fine">
          Lost all of them? An owner of all your organizations can turn two-step sign-in off for you. So can
          whoever runs this server:{" "}
          <code className="command">npm start -- two-step-off &lt;name or mail&gt;</code>.
        </p>
        <p className="fine">
          <a className="text-link" href={signInAgainAddress()}>
            Sign in as someone else
          </a>
        </p>
      </ProofForm>
    </Gate>
  );
}

/** The first step was too long ago, in another browser, or missing; or another tab has done the second. */
function Over({ state }: Props) {
  const isIn = state.user !== null;
  useEffect(() => (isIn ? undefined : whenSignedIn(() => goOn(wantedNext()))), [isIn]);
  return (
    <Gate state={state}>
      <Heading title={isIn ? "You are signed in" : "This sign-in has expired"} />
      {!isIn && (
        <Note kind="warn" isAlert>
          Complete the second step in the same browser as the first, within a few minutes.
        </Note>
      )}
      <a
        className="btn btn-action btn-big"
        href={isIn ? safeNext(wantedNext(), location.origin) : signInAgainAddress()}
      >
        {isIn ? "Continue" : "Sign in again"}
      </a>
    </Gate>
  );
}
