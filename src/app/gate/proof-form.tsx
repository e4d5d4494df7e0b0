import { type ReactNode, useId } from "react";
import { Field, WorkButton } from "./form.tsx";
import { Note } from "./gate.tsx";
import { PROOF_WORDS, type ProofForm as Form } from "./use-proof.ts";
import { WorkFailure } from "./work-failure.tsx";

interface Props {
  form: Form;
  /** The action that failed, for the error message. */
  failed: string;
  /** Below the ways to confirm. */
  children?: ReactNode;
}

/** A code, a passkey, or a recovery code; on pages in front of the application. */
export function ProofForm({ form, failed, children }: Props) {
  const { field, others, usePasskey } = form;
  const hasWay = field !== null || others.length > 0 || usePasskey;
  return (
    <>
      {hasWay ? <Ways form={form} failed={failed} /> : <NoProof />}
      {children}
    </>
  );
}

function Ways({ form, failed }: Omit<Props, "children">) {
  const { work, field, others, usePasskey } = form;
  const id = useId();
  return (
    <>
      {form.error === undefined && <WorkFailure work={work} title={failed} />}
      {field !== null && (
        <form
          id={id}
          className="stack"
          data-gap="wide"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            form.submit();
          }}
        >
          <Field
            key={field}
            label={PROOF_WORDS[field].label}
            hint={PROOF_WORDS[field].hint}
            name={field}
            element={form.input}
            className={field === "totp" ? "code-input" : "mono-input"}
            value={form.text}
            onChange={form.onText}
            error={form.error}
            inputMode={field === "totp" ? "numeric" : "text"}
            autoComplete={field === "totp" ? "one-time-code" : "off"}
            spellCheck={false}
          />
          <WorkButton work={work} name="code" kind="action">
            Continue
          </WorkButton>
        </form>
      )}
      <div className="stack">
        {usePasskey && (
          <WorkButton
            work={work}
            name="passkey"
            kind={field === null ? "action" : "line"}
            icon="fingerprint"
            onPress={usePasskey}
          >
            Use a passkey
          </WorkButton>
        )}
        {others.map((each) => (
          <WorkButton key={each} work={work} name={each} icon="keyRound" onPress={() => form.choose(each)}>
            {PROOF_WORDS[each].change}
          </WorkButton>
        ))}
      </div>
    </>
  );
}

/** Only a passkey was set up, and this browser does not support them. */
function NoProof() {
  return (
    <Note kind="warn" title="This browser has no passkeys.">
      Sign in with the browser that has yours.
    </Note>
  );
}
