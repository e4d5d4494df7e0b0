import { useEffect, useRef, useState, type FormEvent } from "react";
import { signIn } from "../data/session.ts";

interface Props {
  /** What the server said, for instance that no token is configured. */
  message: string;
  /** The operator was signed in a moment ago. */
  isAgain: boolean;
}

export function SignInForm({ message, isAgain }: Props) {
  const [state, setState] = useState<{ isBusy: boolean; error: string }>({ isBusy: false, error: "" });
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const token = input.current?.value.trim() ?? "";
    if (!token) {
      setState({ isBusy: false, error: "Enter the token: the value of CONSOLE_TOKEN on the server." });
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
      <p className="note">
        {isAgain
          ? "Sign in again; the page behind stays as it is."
          : "The token is the value of the variable CONSOLE_TOKEN that the server was started with."}
      </p>
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
      {message && !state.error && <p className="note">{message}</p>}
      <button className="btn btn-action" type="submit" aria-busy={state.isBusy} disabled={state.isBusy}>
        Sign in
      </button>
    </form>
  );
}
