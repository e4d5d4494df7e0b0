import type { AuthState, Next } from "../data/answers.ts";
import { sendForm } from "../data/ask-server.ts";
import { WorkButton } from "./form.tsx";
import { Gate, Heading } from "./gate.tsx";
import { goOn } from "./next-page.ts";
import { tellSignedIn } from "./session-news.ts";
import { useWork } from "./use-work.ts";
import { WorkFailure } from "./work-failure.tsx";

interface Props {
  state: AuthState;
  linkKey: string;
}

/** `/app/mail/:key`: only the button uses the link, because mail programs open every address in a mail. */
export function MailPage({ state, linkKey }: Props) {
  const work = useWork();
  const enter = () =>
    void work.run("enter", async () => {
      const { next } = await sendForm<Next>(`/auth/mail/${encodeURIComponent(linkKey)}`, {});
      tellSignedIn();
      goOn(next);
    });
  const isDead = work.failure !== null && !["unreachable", "resource_exhausted"].includes(work.failure.code);
  return (
    <Gate state={state}>
      <Heading title="Sign in" lead={<span className="mono">{state.host}</span>} />
      <WorkFailure work={work} title="This link did not sign you in." />
      {isDead ? (
        <a className="btn btn-action btn-big" href="/app/sign-in">
          Ask for a new link
        </a>
      ) : (
        <WorkButton work={work} name="enter" kind="action" icon="mail" onPress={enter}>
          Sign in with this link
        </WorkButton>
      )}
      <p className="fine">
        The link works once, in the browser that requested it. If you did not request it, close this page.
        Nothing has happened.
      </p>
    </Gate>
  );
}
