import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RecoveryCodes, TwoStep } from "../../../data/answers.ts";
import { sendForm } from "../../../data/ask-server.ts";
import { passkeysQuery, twoStepQuery } from "../../../data/queries.ts";
import { useAction } from "../../../data/use-action.ts";
import { plural } from "../../../format.ts";
import { Ago } from "../../../ui/ago.tsx";
import { Failure } from "../../../ui/failure.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Status } from "../../../ui/status.tsx";
import { Section, SectionRow } from "../section.tsx";
import { SetUpApp } from "./set-up-app.tsx";
import { RecoveryCodesOnce } from "./recovery-codes-once.tsx";
import { TwoStepQuestion, type TwoStepDeed } from "./two-step-question.tsx";
import { useTwoStepChanged } from "./use-two-step-changed.ts";

/** With so few left it is time to create new ones. */
const FEW_CODES = 3;

export function TwoStepSection() {
  const { data, error, refetch } = useQuery(twoStepQuery);
  // Stored only here: leaving the screen forgets them.
  const [codes, setCodes] = useState<readonly string[]>([]);
  const show = ({ recoveryCodes }: RecoveryCodes) => setCodes(recoveryCodes);
  return (
    <Section
      title="Two-step sign-in"
      lead="A mailbox or an account at a provider can be taken over. With two-step sign-in, neither is enough to open your account."
    >
      {!data && error && <Failure what="Two-step sign-in" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="two-step sign-in" rows={2} />}
      {codes.length > 0 && (
        // The former codes' confirmation does not count for new ones.
        <RecoveryCodesOnce key={codes[0]} codes={codes} onDone={() => setCodes([])} />
      )}
      {data && (data.isOn ? <On twoStep={data} onCodes={show} /> : <Off onCodes={show} />)}
    </Section>
  );
}

interface PartProps {
  onCodes: (codes: RecoveryCodes) => void;
}

function Off({ onCodes }: PartProps) {
  return (
    <>
      <SectionRow title="Authenticator app" text="It shows codes. A password manager can do this.">
        <SetUpApp onCodes={onCodes}>Set up an app</SetUpApp>
      </SectionRow>
      <PasskeyRow onCodes={onCodes} />
    </>
  );
}

/** Offers only passkeys that verify their user, as observed by the server. */
function PasskeyRow({ onCodes }: PartProps) {
  const { data = [] } = useQuery(passkeysQuery);
  const { isBusy, error, run } = useAction();
  const changed = useTwoStepChanged();
  const hasOne = data.some(({ verifies_user: verifies }) => verifies);
  const turnOn = () =>
    void run(async () => {
      onCodes(await sendForm<RecoveryCodes>("/auth/two-step/passkey", {}));
      await changed();
    });
  return (
    <SectionRow
      title="Passkey"
      text={
        <>
          {hasOne
            ? "A passkey that verifies you is both steps: its device asks for a PIN, a fingerprint or a face."
            : "You have no passkey that verifies you. Add one whose device asks for a PIN, a fingerprint or a face."}
          {error && (
            <span className="text-fail" role="alert">
              {" "}
              {error.message}
            </span>
          )}
        </>
      }
    >
      {hasOne && (
        <button className="btn" type="button" aria-busy={isBusy} onClick={turnOn}>
          Use your passkeys
        </button>
      )}
    </SectionRow>
  );
}

function On({ twoStep: { totpSince, recoveryCodesLeft: left }, onCodes }: PartProps & { twoStep: TwoStep }) {
  const [asked, ask] = useState<TwoStepDeed | null>(null);
  return (
    <>
      <SectionRow
        title={<Status state="succeeded" word="On" />}
        text="Every way to sign in asks for the second step, except a passkey that verifies you."
      >
        <button className="btn danger" type="button" onClick={() => ask("off")}>
          Turn off…
        </button>
      </SectionRow>
      <SectionRow
        title="Authenticator app"
        text={
          totpSince === null ? (
            "None yet. Your passkeys that verify you are the second step."
          ) : (
            <>
              Set up <Ago at={new Date(totpSince).toISOString()} />
            </>
          )
        }
      >
        <SetUpApp onCodes={onCodes}>{totpSince === null ? "Set up an app" : "Set up another app"}</SetUpApp>
      </SectionRow>
      <SectionRow
        title="Recovery codes"
        text={
          <>
            {left <= FEW_CODES && (
              <b className="text-work">{left === 0 ? "None left. " : "Few are left. "}</b>
            )}
            {plural(left, "code")} left. Each code works once as the second step, if you lose the app or the
            passkey.
          </>
        }
      >
        <button className="btn" type="button" onClick={() => ask("codes")}>
          Make new codes…
        </button>
      </SectionRow>
      {asked && <TwoStepQuestion deed={asked} onCodes={onCodes} onClose={() => ask(null)} />}
    </>
  );
}
