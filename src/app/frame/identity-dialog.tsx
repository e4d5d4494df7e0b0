import { type ReactNode, useEffect, useId } from "react";
import { type Refusal, sendForm } from "../data/ask-server.ts";
import { noteSignedOut } from "../data/call.ts";
import { settleIdentity } from "../data/confirming.ts";
import { lostAllOf, PROOF_WORDS, type ProofForm, type ProofQuestion, useProof } from "../gate/use-proof.ts";
import { useAsked } from "../gate/use-work.ts";
import { CodeField } from "../ui/code-field.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { Loading } from "../ui/loading.tsx";

const PATH = "/auth/confirm";
const NONE: ProofQuestion = { ways: [] };
const askWays = (path: string) => sendForm<ProofQuestion>(path, {});
const cancel = () => settleIdentity("canceled");

/** Covers open dialogs, which stay unchanged and continue automatically. */
export function IdentityDialog() {
  const [asked, again] = useAsked(`${PATH}/options`, askWays);
  const question = asked.status === "ready" ? asked.data : NONE;
  const form = useProof({ question, path: PATH, onProved: () => settleIdentity("confirmed") });
  useSessionEnd(asked.status === "failed" ? asked.error : form.work.failure);
  const id = useId();
  return (
    <Dialog
      title="Confirm that it is you"
      onClose={cancel}
      footer={
        <>
          <button className="btn" type="button" onClick={cancel}>
            Cancel
          </button>
          {asked.status === "failed" && (
            <button className="btn action" type="button" onClick={again}>
              Try again
            </button>
          )}
          {form.field !== null && (
            <button className="btn action" type="submit" form={id} aria-busy={form.work.busy === "code"}>
              Confirm
            </button>
          )}
        </>
      }
    >
      <p>Someone who gets hold of a signed-in browser should not be able to do this.</p>
      {asked.status === "waiting" && <Loading what="your ways to confirm" rows={1} />}
      {asked.status === "failed" && <Bad>{asked.error.message}</Bad>}
      {asked.status === "ready" && <Proof id={id} form={form} />}
      {asked.status === "ready" && <p>{lostAllOf(question)}</p>}
    </Dialog>
  );
}

/** After signing in again in another tab, the person continues here. */
function useSessionEnd(failure: Refusal | null) {
  useEffect(() => {
    if (failure?.code === "unauthenticated") noteSignedOut();
  }, [failure]);
}

function Proof({ id, form }: { id: string; form: ProofForm }) {
  const { field, work, usePasskey, others } = form;
  if (field === null && others.length === 0 && !usePasskey)
    return <Bad>This browser has none of your passkeys. Use the browser that has them.</Bad>;
  return (
    <>
      {field !== null && (
        <form
          id={id}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            form.submit();
          }}
        >
          <CodeField
            key={field}
            name={field}
            {...PROOF_WORDS[field]}
            input={form.input}
            error={form.error}
            value={form.text}
            onChange={form.onText}
          />
        </form>
      )}
      {form.error === undefined && work.failure && <Bad>{work.failure.message}</Bad>}
      <div className="row wrap">
        {usePasskey && (
          <button
            className={field === null ? "btn action" : "btn"}
            type="button"
            aria-busy={work.busy === "passkey"}
            onClick={usePasskey}
          >
            <Icon name="keyRound" />
            Use a passkey
          </button>
        )}
        {others.map((each) => (
          <button key={each} className="btn" type="button" onClick={() => form.choose(each)}>
            {PROOF_WORDS[each].change}
          </button>
        ))}
      </div>
    </>
  );
}

function Bad({ children }: { children: ReactNode }) {
  return (
    <div className="note bad" role="alert">
      <Icon name="circleAlert" />
      <span>{children}</span>
    </div>
  );
}
