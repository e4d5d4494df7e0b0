import { useEffect } from "react";
import type { AuthState, SentMail } from "../data/answers.ts";
import { BrowserCheck } from "./browser-check.tsx";
import { Gate, Heading, Name } from "./gate.tsx";
import { goOn, wantedNext } from "./next-page.ts";
import { whenSignedIn } from "./session-news.ts";
import { useLinkSender } from "./send-link.ts";
import { formatExactTime, formatLeft, useNow } from "./times.ts";
import { useWork } from "./use-work.ts";
import { WorkFailure } from "./work-failure.tsx";

interface Props {
  state: AuthState;
  mail: string;
  answer: SentMail;
  /** Null: use another address. */
  onChange: (sent: { mail: string; answer: SentMail } | null) => void;
}

/** The link was sent; the page continues automatically when the link is opened in this browser. */
export function SentPage({ state, mail, answer, onChange }: Props) {
  const now = useNow();
  const work = useWork();
  const { send, progress } = useLinkSender();
  const isOver = Date.parse(answer.expires_at) <= now;
  const resendIn = Math.ceil((Date.parse(answer.sent_at) + answer.resend_after_seconds * 1000 - now) / 1000);
  useEffect(() => (isOver ? undefined : whenSignedIn(() => goOn(wantedNext()))), [isOver]);
  const again = () => {
    if (resendIn > 0) return;
    void work.run("mail", async () => onChange({ mail, answer: await send(mail) }));
  };
  return (
    <Gate state={state}>
      <Heading
        title="Check your mail"
        lead={
          <>
            Sent to{" "}
            <b>
              <Name>{mail}</Name>
            </b>{" "}
            at {formatExactTime(answer.sent_at)} by {answer.sent_by}
          </>
        }
      />
      <WorkFailure work={work} title="No second mail was sent." />
      <div className="panel">
        <Progress isOver={isOver} left={formatLeft(answer.expires_at, now)} />
        <div className="row">
          <button
            className="btn btn-line btn-sm"
            type="button"
            aria-disabled={resendIn > 0 || work.busy !== null}
            onClick={again}
          >
            {resendIn > 0 ? `Send again in ${resendIn}s` : "Send again"}
          </button>
          <button className="btn btn-bare btn-sm" type="button" onClick={() => onChange(null)}>
            Another address
          </button>
        </div>
        <BrowserCheck progress={progress} />
      </div>
      <p className="fine">
        No mail? It is sent only to people who have an account here. Check your spam folder, or ask an owner
        to invite you.
      </p>
    </Gate>
  );
}

function Progress({ isOver, left }: { isOver: boolean; left: string }) {
  return (
    <div className="stack">
      <output className={isOver ? "" : "waiting"}>
        {isOver ? "The link has expired" : "Waiting for the link to be opened"}
      </output>
      <span className="fine">
        {isOver ? (
          "Send another link."
        ) : (
          <>
            Open it in this browser. This page continues automatically.{" "}
            <span className="clock" aria-hidden="true">
              {left} left.
            </span>
          </>
        )}
      </span>
    </div>
  );
}
