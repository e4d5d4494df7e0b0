import { type FormEvent, useState } from "react";
import type { AuthState, Invitation, Next } from "../data/answers.ts";
import { readAnswer, sendForm } from "../data/ask-server.ts";
import { CreateButtons, meansOf, type Means, NoPasswords } from "./create-buttons.tsx";
import { useFocusOnErrors, WorkButton } from "./form.tsx";
import { Gate, Heading, Name, Note } from "./gate.tsx";
import { LoadFailure, Loading } from "./loading.tsx";
import { goOn, keepNext } from "./next-page.ts";
import { createPasskey } from "./passkey.ts";
import { PersonFields } from "./person-fields.tsx";
import { checkPerson, errorsOf, type FieldErrors, personBody } from "./person-form.ts";
import { Providers } from "./providers.tsx";
import { formatTime } from "./times.ts";
import { useAsked, useWork } from "./use-work.ts";
import { WorkFailure } from "./work-failure.tsx";

interface Props {
  state: AuthState;
  /** The invitation's key. */
  linkKey: string;
}

const addressOf = (key: string) => `/auth/invitation/${encodeURIComponent(key)}`;
const readInvitation = (key: string) => readAnswer<Invitation>(addressOf(key));

/** `/app/join/:key`: as the signed-in person, or as a new one. */
export function JoinPage({ state, linkKey }: Props) {
  const [invitation, again] = useAsked(linkKey, readInvitation);
  if (invitation.status === "waiting") return <Loading state={state} />;
  if (invitation.status === "failed") {
    const { code } = invitation.error;
    if (code === "not_found" || code === "failed_precondition")
      return <DeadInvitation state={state} message={invitation.error.message} />;
    return <LoadFailure state={state} error={invitation.error} onRetry={again} />;
  }
  const props = { state, linkKey, invitation: invitation.data };
  return state.user ? <JoinAsUser {...props} /> : <JoinAsNew {...props} />;
}

function DeadInvitation({ state, message }: { state: AuthState; message: string }) {
  return (
    <Gate state={state} user={state.user}>
      <Heading title="This invitation is no longer valid" />
      <Note kind="warn">{message}</Note>
      <p>Invitations work once and expire after seven days. Ask the person who invited you for a new one.</p>
      <a className="btn btn-line btn-big" href={state.user ? "/app" : "/app/sign-in"}>
        {state.user ? "Go to your organizations" : "Sign in"}
      </a>
    </Gate>
  );
}

interface JoinProps extends Props {
  invitation: Invitation;
}

function InvitationHead({ invitation }: Pick<JoinProps, "invitation">) {
  const { organization, role, invited_by: by, expires_at: until } = invitation;
  return (
    <Heading
      title={`Join ${organization}`}
      lead={
        <>
          <Name>{by}</Name> invites you as {role === "owner" ? "an owner" : "a member"}. The invitation is
          valid until <time dateTime={until}>{formatTime(until)}</time>.
        </>
      }
    >
      Join <Name>{organization}</Name>
    </Heading>
  );
}

function JoinAsUser({ state, linkKey, invitation }: JoinProps) {
  const work = useWork();
  const join = () =>
    void work.run("join", async () => goOn((await sendForm<Next>(addressOf(linkKey), {})).next));
  return (
    <Gate state={state} user={state.user}>
      <InvitationHead invitation={invitation} />
      <WorkFailure work={work} title="You have not joined." />
      <WorkButton work={work} name="join" kind="action" onPress={join}>
        <span className="clip">
          Join as <Name>{state.user?.name ?? ""}</Name>
        </span>
      </WorkButton>
    </Gate>
  );
}

function JoinAsNew({ state, linkKey, invitation }: JoinProps) {
  const [person, setPerson] = useState({ name: "", mail: invitation.mail ?? "" });
  const [found, setFound] = useState<FieldErrors>({});
  const work = useWork();
  useFocusOnErrors(found);
  useFocusOnErrors(work.failure);

  const join = (means: Means) => {
    const wrong = checkPerson(person, means === "mail");
    setFound(wrong);
    if (Object.keys(wrong).length > 0) return;
    void work.run(means, async () => {
      const body = personBody(person);
      const passkey =
        means === "passkey" ? await createPasskey({ for: "join", key: linkKey, name: body.name }) : undefined;
      const { next } = await sendForm<Next>(addressOf(linkKey), { ...body, ...(passkey && { passkey }) });
      goOn(next);
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    join(meansOf(state)[0] ?? "none");
  };

  return (
    <Gate state={state}>
      <InvitationHead invitation={invitation} />
      <form className="stack" data-gap="wide" noValidate onSubmit={submit}>
        <PersonFields person={person} onChange={setPerson} errors={errorsOf(found, work.failure)} isFirst />
        <WorkFailure work={work} title="You have not joined." hasFields />
        <CreateButtons verb="Join" state={state} work={work} onCreate={join} />
        <div className="stack">
          <Providers methods={state.methods} next="/app" invitation={linkKey} />
        </div>
      </form>
      <HaveAccount />
      <NoPasswords />
    </Gate>
  );
}

function HaveAccount() {
  return (
    <p className="fine">
      {/* The key stays out of the next page's address. */}
      Already have an account here?{" "}
      <a className="text-link" href="/app/sign-in" onClick={() => keepNext(location.pathname)}>
        Sign in first
      </a>
    </p>
  );
}
