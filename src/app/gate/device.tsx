import { type FormEvent, useState } from "react";
import type { AuthState, DeviceLogin, SignedInUser } from "../data/answers.ts";
import { readAnswer, type Refusal } from "../data/ask-server.ts";
import { isWholeCode, normalizeCode } from "./device-code.ts";
import { DeviceDone, type DeviceOutcome } from "./device-done.tsx";
import { DeviceQuestion } from "./device-question.tsx";
import { Field } from "./form.tsx";
import { Gate, Heading, Note } from "./gate.tsx";
import { LoadFailure, Loading } from "./loading.tsx";
import { signInAddress } from "./next-page.ts";
import { useAsked } from "./use-work.ts";

interface Props {
  state: AuthState;
}

const LINKS = [{ href: "/docs/cli/authentication", label: "How the login works" }];
const readLogin = (code: string) => readAnswer<DeviceLogin>(`/oauth/device?code=${encodeURIComponent(code)}`);

/** `/app/device?code=`: whether a terminal may act for the person at this browser. */
export function DevicePage({ state }: Props) {
  const [code, setCode] = useState(() =>
    normalizeCode(new URLSearchParams(location.search).get("code") ?? ""),
  );
  const show = (next: string) => {
    setCode(next);
    // A reload keeps the code; going back to the step before makes no sense.
    history.replaceState(history.state, "", next ? `/app/device?code=${next}` : "/app/device");
  };
  if (!state.user) {
    location.replace(signInAddress(`/app/device${code && `?code=${code}`}`));
    return <Loading state={state} />;
  }
  if (!isWholeCode(code)) return <AskForCode state={state} user={state.user} onCode={show} />;
  return <AskedLogin key={code} state={state} user={state.user} code={code} onOtherCode={() => show("")} />;
}

interface SignedInProps extends Props {
  user: SignedInUser;
}

function AskForCode({ state, user, onCode }: SignedInProps & { onCode: (code: string) => void }) {
  const [code, setCode] = useState("");
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWholeCode(code)) onCode(code);
    else setError("A code has eight letters.");
  };
  return (
    <Gate state={state} width="wide" user={user} links={LINKS}>
      <Heading title="Log in the CLI" lead="Type the code that millrace login shows in your terminal." />
      <form className="stack" data-gap="wide" noValidate onSubmit={submit}>
        <Field
          label="Code"
          name="code"
          className="code-input"
          value={code}
          onChange={(text) => {
            setCode(normalizeCode(text));
            setError(undefined);
          }}
          error={error}
          placeholder="XXXX-XXXX"
          autoComplete="one-time-code"
          spellCheck={false}
          isFirst
        />
        <button className="btn btn-action btn-big" type="submit">
          Continue
        </button>
      </form>
    </Gate>
  );
}

interface AskedProps extends SignedInProps {
  code: string;
  onOtherCode: () => void;
}

function AskedLogin({ state, user, code, onOtherCode }: AskedProps) {
  const [login, again] = useAsked(code, readLogin);
  const [outcome, setOutcome] = useState<DeviceOutcome | null>(null);
  const frame = { state, user, links: LINKS };
  if (outcome) return <DeviceDone frame={frame} outcome={outcome} onOtherCode={onOtherCode} />;
  if (login.status === "waiting") return <Loading state={state} />;
  if (login.status === "ready")
    return (
      <DeviceQuestion frame={frame} login={login.data} onOutcome={setOutcome} onOtherCode={onOtherCode} />
    );
  const { error } = login;
  // The session has ended since the page was loaded.
  if (error.code === "unauthenticated") location.replace(signInAddress(`/app/device?code=${code}`));
  if (["not_found", "failed_precondition", "invalid_argument", "already_exists"].includes(error.code))
    return <DeadCode {...frame} error={error} onOtherCode={onOtherCode} />;
  return <LoadFailure state={state} error={error} onRetry={again} />;
}

interface DeadProps extends SignedInProps {
  links: typeof LINKS;
  error: Refusal;
  onOtherCode: () => void;
}

function DeadCode({ state, user, links, error, onOtherCode }: DeadProps) {
  return (
    <Gate state={state} width="wide" user={user} links={links}>
      <Heading
        title={error.code === "not_found" ? "There is no such code" : "This code is no longer valid"}
      />
      <Note kind="warn">{error.message}</Note>
      <p>
        Codes are valid for 15 minutes and work once. <code>millrace login</code> shows a new one.
      </p>
      <button className="btn btn-action btn-big" type="button" onClick={onOtherCode}>
        Type another code
      </button>
    </Gate>
  );
}
