import { type AuthState, type Next, type StartLink } from "../data/answers.ts";
import { readAnswer, sendForm } from "../data/ask-server.ts";
import { FirstStart } from "./first-start.tsx";
import { WorkButton } from "./form.tsx";
import { Gate, Heading, Name, Note } from "./gate.tsx";
import { LoadFailure, Loading } from "./loading.tsx";
import { goOnSignedIn } from "./next-page.ts";
import { formatTime } from "./times.ts";
import { useAsked, useWork } from "./use-work.ts";
import { WorkFailure } from "./work-failure.tsx";

interface Props {
  state: AuthState;
  /** The one-time link's key; empty when the address lost it. */
  linkKey: string;
}

const readLink = (key: string): Promise<StartLink> =>
  key === ""
    ? Promise.resolve({ state: "unknown" as const })
    : readAnswer<StartLink>(`/auth/start/${encodeURIComponent(key)}`);

/** `/app/start/:key`: the link that the server prints. Only the button uses it up, not opening it. */
export function StartPage({ state, linkKey }: Props) {
  const [link, again] = useAsked(linkKey, readLink);
  if (link.status === "waiting") return <Loading state={state} />;
  if (link.status === "failed") return <LoadFailure state={state} error={link.error} onRetry={again} />;
  if (link.data.state === "first")
    return <FirstStart state={state} linkKey={linkKey} proposed={link.data.organization ?? "default"} />;
  if (link.data.state === "ready") return <OwnerLink state={state} linkKey={linkKey} link={link.data} />;
  return <DeadLink state={state} link={link.data} />;
}

function OwnerLink({ state, linkKey, link }: Props & { link: StartLink }) {
  const work = useWork();
  const name = link.name ?? "the owner";
  const signIn = () =>
    work.run("sign-in", async () => {
      const { next } = await sendForm<Next>(`/auth/start/${encodeURIComponent(linkKey)}`, {});
      goOnSignedIn(next);
    });
  return (
    <Gate state={state}>
      <Heading title="Sign in with this link" lead={<span className="mono">{state.host}</span>} />
      <WorkFailure work={work} title="This link did not sign you in." />
      <WorkButton work={work} name="sign-in" kind="action" icon="keyRound" onPress={() => void signIn()}>
        <span className="clip">
          Sign in as <Name>{name}</Name>
        </span>
      </WorkButton>
      <p className="fine">
        The link works once. Anyone who opens it signs in as{" "}
        {link.organization ? (
          <>
            an owner of <Name>{link.organization}</Name>
          </>
        ) : (
          "an owner"
        )}
        . Do not share it.
      </p>
    </Gate>
  );
}

const DEAD = {
  used: "This link was already used",
  expired: "This link has expired",
  unknown: "There is no such link",
};

function DeadLink({ state, link }: { state: AuthState; link: StartLink }) {
  const kind = link.state === "used" || link.state === "expired" ? link.state : "unknown";
  return (
    <Gate state={state}>
      <Heading title={DEAD[kind]} />
      <Note kind={kind === "used" ? "bad" : "warn"}>
        {kind === "used" && <UsedBy link={link} />}
        {kind === "expired" && "Links work once and expire after an hour."}
        {kind === "unknown" &&
          "It was cut off or mistyped, or the server has printed a newer link. Only the newest link works."}
      </Note>
      <p>
        <code className="command">npm start -- owner-link</code> on the server prints a new one.
      </p>
      <a className="btn btn-line btn-big" href="/app/sign-in">
        Sign in another way
      </a>
    </Gate>
  );
}

function UsedBy({ link }: { link: StartLink }) {
  const time = formatTime(link.used_at);
  return (
    <>
      {time && (
        <>
          It was opened at <time dateTime={link.used_at}>{time}</time>
          {link.used_from && (
            <>
              {" "}
              from <span className="mono">{link.used_from}</span>
            </>
          )}
          .{" "}
        </>
      )}
      If that was not you, sign out that browser on your profile page.
    </>
  );
}
