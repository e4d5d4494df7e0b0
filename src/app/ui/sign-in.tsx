import { useEffect, useRef, useState, type FormEvent } from "react";
import { signIn } from "../data/session.ts";
import { Failure } from "./states.tsx";

interface Props {
  /** Why the link that was opened does not sign in; empty without one. */
  linkRefusal: string;
  /** The operator was signed in a moment ago. */
  isAgain: boolean;
}

export function SignInForm({ linkRefusal, isAgain }: Props) {
  const [state, setState] = useState<{ isBusy: boolean; error: string }>({ isBusy: false, error: "" });
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const token = input.current?.value.trim() ?? "";
    if (!token) {
      setState({ isBusy: false, error: "Enter the token: it is in the file console-token on the server." });
      input.current?.focus();
      return;
    }
    setState({ isBusy: true, error: "" });
    const outcome = await signIn(token);
    if (outcome.isDone) return;
    setState({ isBusy: false, error: outcome.message });
    input.current?.select();
  };

  return (
    <form className="sign-in" onSubmit={(event) => void submit(event)} noValidate>
      <h1 id="sign-in-title">
        {isAgain ? "Your session has ended" : `Sign in to the ${__SITE_NAME__} console`}
      </h1>
      {isAgain && <p className="note">Sign in again; the page behind stays as it is.</p>}
      {linkRefusal && !state.error && <Failure title="The link did not sign you in" text={linkRefusal} />}
      {/* Lets a password manager keep the token under a name. */}
      <input type="text" name="username" autoComplete="username" value="operator" readOnly hidden />
      <label className="input-field">
        <span>Token</span>
        <input
          ref={input}
          type="password"
          name="token"
          autoComplete="current-password"
          aria-invalid={state.error !== ""}
          aria-describedby={state.error ? "sign-in-error" : undefined}
        />
      </label>
      {state.error && (
        <p className="field-error" id="sign-in-error" role="alert">
          {state.error}
        </p>
      )}
      <button className="btn btn-action" type="submit" aria-busy={state.isBusy} disabled={state.isBusy}>
        Sign in
      </button>
      <p className="note">
        The token is in the file <code>console-token</code> in the server&rsquo;s <code>DATA_DIR</code>, or it
        is the value of <code>CONSOLE_TOKEN</code> if the server was started with one. Without{" "}
        <code>CONSOLE_TOKEN</code> each start prints a link that signs in once.
      </p>
    </form>
  );
}
