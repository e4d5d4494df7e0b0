import { type ReactNode, useId } from "react";
import { sendForm } from "../data/ask-server.ts";
import { settleIdentity } from "../data/confirming.ts";
import { PROOF_WORDS, type ProofForm, type ProofQuestion, useProof } from "../gate/use-proof.ts";
import { useAsked } from "../gate/use-work.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Loading } from "../ui/loading.tsx";

const PATH = "/auth/confirm";
const NONE: ProofQuestion = { ways: [] };
const askWays = (path: string) => sendForm<ProofQuestion>(path, {});
const cancel = () => settleIdentity("canceled");

/** Over whatever is open, which stays as it is and goes on by itself. */
export function IdentityDialog() {
  const [asked, again] = useAsked(`${PATH}/options`, askWays);
  const question = asked.status === "ready" ? asked.data : NONE;
  const form = useProof({ question, path: PATH, onProved: () => settleIdentity("confirmed") });
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
            <button className="btn act" type="button" onClick={again}>
              Try again
            </button>
          )}
          {form.field !== null && (
            <button className="btn act" type="submit" form={id} aria-busy={form.work.busy === "code"}>
              Confirm
            </button>
          )}
        </>
      }
    >
      <p>Someone who gets hold of a signed-in browser should not be able to do this.</p>
      {asked.status === "waiting" && <Loading what="the ways that you have" rows={1} />}
      {asked.status === "failed" && <Bad>{asked.error.message}</Bad>}
      {asked.status === "ready" && <Proof id={id} form={form} />}
    </Dialog>
  );
}

function Proof({ id, form }: { id: string; form: ProofForm }) {
  const { field, work, usePasskey, others } = form;
  if (field === null && others.length === 0 && !usePasskey)
    return <Bad>This browser has none of your passkeys. Use the browser that has them.</Bad>;
  return (
    <>
      {field !== null && <CodeField id={id} form={form} field={field} />}
      {form.error === undefined && work.failure && <Bad>{work.failure.message}</Bad>}
      <div className="row wrap">
        {usePasskey && (
          <button
            className={field === null ? "btn act" : "btn"}
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

interface CodeProps {
  id: string;
  form: ProofForm;
  field: NonNullable<ProofForm["field"]>;
}

function CodeField({ id, form, field }: CodeProps) {
  return (
    <form
      id={id}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <Field label={PROOF_WORDS[field].label} hint={PROOF_WORDS[field].hint} error={form.error}>
        {(control) => (
          <input
            {...control}
            key={field}
            ref={form.input}
            className="in mono"
            name={field}
            value={form.text}
            inputMode={field === "totp" ? "numeric" : "text"}
            autoComplete={field === "totp" ? "one-time-code" : "off"}
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => form.onText(event.target.value)}
          />
        )}
      </Field>
    </form>
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
