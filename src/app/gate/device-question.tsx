import { type ReactNode, useState } from "react";
import type { DeviceLogin, Membership } from "../data/answers.ts";
import { sendForm } from "../data/ask-server.ts";
import { spellCode } from "./device-code.ts";
import type { DeviceFrame, DeviceOutcome } from "./device-done.tsx";
import { WorkButton } from "./form.tsx";
import { Gate, Heading, Name, Note } from "./gate.tsx";
import { GateIcon } from "./gate-icon.tsx";
import { OrganizationChoice } from "./organization-choice.tsx";
import { formatLeft, formatSince, useNow } from "./times.ts";
import { useWork, type Work } from "./use-work.ts";
import { WorkFailure } from "./work-failure.tsx";

interface Props {
  frame: DeviceFrame;
  login: DeviceLogin;
  onOutcome: (outcome: DeviceOutcome) => void;
  onOtherCode: () => void;
}

/** Who is asking, from where, and since when; what approval grants; yes or no. */
export function DeviceQuestion({ frame, login, onOutcome, onOtherCode }: Props) {
  const { organizations } = frame.user;
  const [chosen, setChosen] = useState(organizations[0]?.id ?? "");
  const organization = organizations.find(({ id }) => id === chosen);
  const now = useNow();
  const work = useWork();
  const isOver = Date.parse(login.expires_at) <= now;
  const { machine } = login;
  const answer = (verdict: "approve" | "deny") =>
    void work.run(verdict, async () => {
      await sendForm(`/oauth/device/${verdict}`, {
        code: login.user_code,
        ...(verdict === "approve" && { organization: chosen }),
      });
      onOutcome({ verdict, machine, organization: organization?.name ?? "" });
    });
  return (
    <Gate {...frame} width="wide">
      <Heading title={`Log in the CLI on ${machine}?`} lead="Compare the code with the one in your terminal.">
        Log in the CLI on <Name>{machine}</Name>?
      </Heading>
      <Code code={login.user_code} />
      <WorkFailure work={work} title="Nothing was approved." />
      <div className="panel">
        <Facts login={login} now={now} />
        {organization && (
          <Gives organizations={organizations} chosen={organization} machine={machine} onChoose={setChosen} />
        )}
      </div>
      {!organization && (
        <Note kind="warn" title="You belong to no organization.">
          An owner can invite you. Until then, the CLI cannot do anything.
        </Note>
      )}
      <Verdict work={work} isOver={isOver} canApprove={Boolean(organization)} {...{ answer, onOtherCode }} />
      <p className="fine">
        No one from {__SITE_NAME__} will ask you to open this page. Approve only what you started yourself.
      </p>
    </Gate>
  );
}

interface VerdictProps {
  work: Work;
  isOver: boolean;
  canApprove: boolean;
  answer: (verdict: "approve" | "deny") => void;
  onOtherCode: () => void;
}

function Verdict({ work, isOver, canApprove, answer, onOtherCode }: VerdictProps) {
  if (isOver)
    return (
      <Note kind="warn" title="This code has expired." isAlert>
        <code>millrace login</code> shows a new one.{" "}
        <button className="text-link" type="button" onClick={onOtherCode}>
          Type another code
        </button>
      </Note>
    );
  return (
    <div className="row">
      {canApprove && (
        <WorkButton work={work} name="approve" kind="action" onPress={() => answer("approve")}>
          Log in this machine
        </WorkButton>
      )}
      <WorkButton work={work} name="deny" kind="danger" onPress={() => answer("deny")}>
        I did not request this
      </WorkButton>
    </div>
  );
}

function Code({ code }: { code: string }) {
  return (
    <>
      <div className="device-code" aria-hidden="true">
        {[...code].map((letter, index) =>
          // The letters of a code never move.
          letter === "-" ? <em key={index}>–</em> : <span key={index}>{letter}</span>,
        )}
      </div>
      <p className="vh">Code {spellCode(code)}</p>
    </>
  );
}

function Facts({ login, now }: { login: DeviceLogin; now: number }) {
  const isHere = login.address === login.your_address;
  return (
    <dl className="facts">
      <Fact name="Requested by">
        <Name>{[login.client_name, login.system].filter(Boolean).join(", ")}</Name>
      </Fact>
      <Fact name="Machine">
        <span className="mono">
          <Name>{login.machine}</Name>
        </span>
      </Fact>
      <Fact name="From">
        <span className="mono">{login.address}</span>
        {isHere ? (
          ", the address of this browser"
        ) : (
          <>
            . This browser has a different address, <span className="mono">{login.your_address}</span>
          </>
        )}
      </Fact>
      <Fact name="When">
        {formatSince(login.created_at, now)}, valid for{" "}
        <time className="clock" dateTime={login.expires_at}>
          {formatLeft(login.expires_at, now)}
        </time>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

interface GivesProps {
  organizations: Membership[];
  chosen: Membership;
  machine: string;
  onChoose: (id: string) => void;
}

function Gives({ organizations, chosen, machine, onChoose }: GivesProps) {
  return (
    <div className="stack">
      <OrganizationChoice
        label="Organization"
        organizations={organizations}
        chosen={chosen.id}
        onChoose={onChoose}
      />
      <ul className="checks">
        {[
          `Can do everything that you can do in ${chosen.name}`,
          "Stays logged in until you log out, or for 90 days without use",
          <>
            Listed under Tokens as “CLI on <Name>{machine}</Name>”
          </>,
        ].map((text, index) => (
          <li key={index}>
            <GateIcon name="check" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
