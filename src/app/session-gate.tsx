import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { noteSignedIn, readSession, watchSession } from "./data/session.ts";
import { signInAddress } from "./gate/next-page.ts";
import { whenSignedIn } from "./gate/session-news.ts";
import { signOut } from "./gate/sign-out.ts";
import { Brand } from "./ui/brand.tsx";

/** The page for operators. Others sign in first, or are told who may; a session that ends in the middle keeps the page. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { state, wasIn } = useSyncExternalStore(watchSession, readSession);
  if (state === "denied") return <Denied />;
  if (state === "out" && !wasIn) return <LeaveToSignIn />;
  return (
    <>
      {children}
      {state === "out" && <SignInDialog />}
    </>
  );
}

const here = () => location.pathname + location.search;

function LeaveToSignIn() {
  useEffect(() => location.replace(signInAddress(here())), []);
  return (
    <main className="sign-in-page">
      <Brand />
      <output className="note">Signing in...</output>
    </main>
  );
}

function Denied() {
  return (
    <main className="sign-in-page">
      <Brand />
      <div className="sign-in">
        <h1>Owners read the console</h1>
        <p className="note">
          You are signed in, but not as an owner of this server&rsquo;s first organization. Its owners can
          make you one.
        </p>
        <div className="dialog-end">
          <a className="btn btn-line" href="/app">
            Your organizations
          </a>
          <button className="btn btn-line" type="button" onClick={() => void signOut(here())}>
            Sign in as somebody else
          </button>
        </div>
      </div>
    </main>
  );
}

/** The page behind stays as it is: the sign-in happens in another tab. */
function SignInDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => whenSignedIn(noteSignedIn), []);
  return (
    // Esc does not close it, because nothing can be read without a session.
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="sign-in-title"
      onCancel={(event) => event.preventDefault()}
    >
      <div className="sign-in">
        <h1 id="sign-in-title">Your session has ended</h1>
        <p className="note">Sign in again in another tab; this page stays as it is and goes on by itself.</p>
        <a className="btn btn-action" href="/app/sign-in" target="_blank" rel="noreferrer">
          Sign in
        </a>
      </div>
    </dialog>
  );
}
