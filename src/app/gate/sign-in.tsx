import { type FormEvent, useEffect, useState } from "react";
import type { AuthState, SentMail } from "../data/answers.ts";
import { Refusal } from "../data/ask-server.ts";
import { BrowserCheck } from "./browser-check.tsx";
import { Field, useFocusOnErrors, WorkButton } from "./form.tsx";
import { Gate, Heading, Name, Note } from "./gate.tsx";
import { goOn, goOnSignedIn, keptNext, nextForAddress, signInAgainAddress, wantedNext } from "./next-page.ts";
import { offerInField, signInWithPasskey } from "./passkey.ts";
import { checkPerson, MAX_MAIL_LENGTH } from "./person-form.ts";
import { Providers } from "./providers.tsx";
import { useLinkSender } from "./send-link.ts";
import { SentPage } from "./sent-mail.tsx";
import { readSignInError, SignInError } from "./sign-in-error.tsx";
import { signOut } from "./sign-out.ts";
import { useWork, type Work } from "./use-work.ts";
import { canUsePasskeys, WaysIn, whyNoPasskeys } from "./way-in.tsx";
import { WorkFailure } from "./work-failure.tsx";

interface Props {
  state: AuthState;
}

/** `/app/sign-in?next=`: the ways that this server offers. */
export function SignInPage({ state }: Props) {
  const [sent, setSent] = useState<{ mail: string; answer: SentMail } | null>(null);
  if (state.user) return <SignedIn state={state} name={state.user.name} />;
  if (sent) return <SentPage state={state} {...sent} onChange={setSent} />;
  return <SignInForm state={state} onSent={(mail, answer) => setSent({ mail, answer })} />;
}

function SignInForm({ state, onSent }: Props & { onSent: (mail: string, answer: SentMail) => void }) {
  const { methods } = state;
  const [error] = useState(readSignInError);
  const work = useWork();
  const canPasskey = canUsePasskeys(state);
  useOffer(canPasskey && methods.mail, work);
  const hasWay = canPasskey || methods.mail || methods.oidc !== null || methods.github;
  const hasOther = methods.oidc !== null || methods.github;
  const enter = () =>
    void work.run("passkey", async () => {
      const { next } = await signInWithPasskey();
      goOnSignedIn(next);
    });
  return (
    <Gate state={state} links={[{ href: "/app/device", label: "Log in the CLI" }]}>
      {error && <SignInError error={error} />}
      <Heading title="Sign in" lead={<span className="mono">{state.host}</span>} />
      <WorkFailure work={work} title="You are not signed in." hasFields />
      {!hasWay && <NoWay state={state} />}
      <div className="stack">
        {canPasskey && (
          <WorkButton work={work} name="passkey" kind="action" icon="fingerprint" onPress={enter}>
            Use a passkey
          </WorkButton>
        )}
        <Providers methods={methods} next={nextForAddress()} />
      </div>
      {methods.mail && (
        <>
          {(canPasskey || hasOther) && <div className="or">or</div>}
          <MailForm work={work} onSent={onSent} />
        </>
      )}
      {hasWay && !methods.mail && (
        <p className="fine">
          There are no passwords. If you lost your passkey, ask whoever runs this server. If that is you,{" "}
          <code className="command">npm start -- owner-link</code> on the server prints a link that signs you
          in.
        </p>
      )}
    </Gate>
  );
}

/** Passkeys in the list below the field, where browsers offer them. */
function useOffer(isPossible: boolean, { refuse }: Work) {
  useEffect(() => {
    if (!isPossible) return;
    const abort = new AbortController();
    offerInField(abort.signal)
      .then((entered) => entered && goOnSignedIn(entered.next))
      // An unreachable server is reported when a button is pressed; a refused passkey, now.
      .catch((error: unknown) => {
        if (error instanceof Refusal && error.code === "unauthenticated") refuse(error);
      });
    return () => abort.abort();
  }, [isPossible, refuse]);
}

function MailForm({ work, onSent }: { work: Work; onSent: (mail: string, answer: SentMail) => void }) {
  const [mail, setMail] = useState("");
  const [error, setError] = useState<{ text?: string }>({});
  const { send, progress } = useLinkSender();
  useFocusOnErrors(error);
  useFocusOnErrors(work.failure);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = checkPerson({ name: "-", mail }, true).mail;
    setError(wrong ? { text: wrong } : {});
    if (wrong) return;
    void work.run("mail", async () => onSent(mail.trim(), await send(mail.trim())));
  };
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <Field
        label="Mail"
        name="mail"
        value={mail}
        onChange={setMail}
        error={error.text ?? (work.failure?.field === "mail" ? work.failure.message : undefined)}
        placeholder="you@acme.example"
        autoComplete="username webauthn"
        inputMode="email"
        maxLength={MAX_MAIL_LENGTH}
        spellCheck={false}
      />
      <WorkButton work={work} name="mail" icon="mail">
        Send me a link
      </WorkButton>
      <BrowserCheck progress={progress} />
      <p className="fine">
        There are no passwords. The link works once, in this browser, and expires after 15 minutes.
      </p>
    </form>
  );
}

function NoWay({ state }: Props) {
  return (
    <Note kind="warn" title="This browser cannot sign in here.">
      {whyNoPasskeys(state)} This server offers no other way to sign in. Ask whoever runs it for one. If that
      is you, set up one of these:
      <WaysIn />
    </Note>
  );
}

function SignedIn({ state, name }: Props & { name: string }) {
  useEffect(() => {
    const kept = keptNext();
    if (kept !== null) goOn(kept);
  }, []);
  return (
    <Gate state={state}>
      <Heading title="You are signed in">
        You are signed in as <Name>{name}</Name>
      </Heading>
      <div className="stack">
        <button className="btn btn-action btn-big" type="button" onClick={() => goOn(wantedNext())}>
          Continue
        </button>
        <button
          className="btn btn-line btn-big"
          type="button"
          onClick={() => void signOut(signInAgainAddress())}
        >
          Sign in as someone else
        </button>
      </div>
    </Gate>
  );
}
