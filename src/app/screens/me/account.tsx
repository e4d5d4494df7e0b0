import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call, CallError } from "../../data/call.ts";
import { useHere } from "../../data/organization.ts";
import { useAction } from "../../data/use-action.ts";
import { sendForm } from "../../data/ask-server.ts";
import type { SentMail } from "../../data/answers.ts";
import { Field } from "../../ui/field.tsx";
import { Status } from "../../ui/status.tsx";
import { useOwnSignInMethods } from "./own-sign-in-methods.ts";
import { Section, SectionRow } from "./section.tsx";

const MAX_NAME_LENGTH = 80;
const MAX_MAIL_LENGTH = 254;

export function Account() {
  const { user } = useHere();
  const methods = useOwnSignInMethods();
  return (
    <Section title="Name and mail">
      <NameForm key={`${user.name} ${user.mail ?? ""}`} />
      {user.mail !== null && (
        <SectionRow title={<bdi>{user.mail}</bdi>} text={describeProof(methods)}>
          {methods && <Proof mail={user.mail} isProved={methods.includes("mail")} />}
        </SectionRow>
      )}
    </Section>
  );
}

/** Keeps its line while the answer is unknown. */
function describeProof(methods: readonly string[] | undefined): string {
  if (!methods) return "\u00a0";
  return methods.includes("mail")
    ? "Sign-in links are sent to this address."
    : "Not verified: no sign-in links are sent to this address.";
}

function Proof({ mail, isProved }: { mail: string; isProved: boolean }) {
  const { methods } = useHere().state;
  if (isProved) return <Status state="succeeded" word="Verified" />;
  return methods.mail ? <ProveMail mail={mail} /> : <Status state="queued" word="Not verified" />;
}

function NameForm() {
  const { user } = useHere();
  const client = useQueryClient();
  const [name, setName] = useState(user.name);
  const [mail, setMail] = useState(user.mail ?? "");
  const { isBusy, error, run } = useAction();
  const errorOf = (field: string) =>
    error instanceof CallError && error.field === field ? error.message : undefined;
  const isChanged = name.trim() !== user.name || mail.trim() !== (user.mail ?? "");
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged) return;
    await run(async () => {
      await call("AccountService/Update", {
        ...(name.trim() !== user.name && { name }),
        ...(mail.trim() !== (user.mail ?? "") && { mail }),
      });
      await client.invalidateQueries({ queryKey: ["organizations"] });
      await client.invalidateQueries({ queryKey: ["members"] });
    });
  };
  return (
    <form className="panel-body profile-form" noValidate onSubmit={(event) => void save(event)}>
      <Field label="Name" error={errorOf("name")}>
        {(control) => (
          <input
            {...control}
            className="input small"
            autoComplete="name"
            maxLength={MAX_NAME_LENGTH}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Mail" error={errorOf("mail")}>
        {(control) => (
          <input
            {...control}
            className="input small"
            type="email"
            autoComplete="email"
            maxLength={MAX_MAIL_LENGTH}
            value={mail}
            onChange={(event) => setMail(event.target.value)}
          />
        )}
      </Field>
      <button className="btn" type="submit" aria-busy={isBusy} disabled={isBusy || !isChanged}>
        Save
      </button>
      {error && !errorOf("name") && !errorOf("mail") && (
        <p className="note bad" role="alert">
          {error.message}
        </p>
      )}
    </form>
  );
}

/** The link in the mail proves the address and returns here. */
function ProveMail({ mail }: { mail: string }) {
  const { isBusy, error, run } = useAction();
  const [isSent, setSent] = useState(false);
  const send = () =>
    void run(async () => {
      await sendForm<SentMail>("/auth/mail", { mail, next: "/app/me" });
      setSent(true);
    });
  if (isSent) return <output className="text-xs">Sent. Open the link in this browser.</output>;
  return (
    <>
      <button className="btn" type="button" aria-busy={isBusy} onClick={send}>
        Send a verification link
      </button>
      {error && (
        <p className="text-xs text-fail" role="alert">
          {error.message}
        </p>
      )}
    </>
  );
}
