import { type FormEvent, useState } from "react";
import type { AuthState, Next } from "../data/answers.ts";
import { sendForm } from "../data/ask-server.ts";
import { CreateButtons, meansOf, type Means, NoPasswords } from "./create-buttons.tsx";
import { Field, useFocusOnErrors } from "./form.tsx";
import { Gate, Heading } from "./gate.tsx";
import { goOn } from "./next-page.ts";
import { createPasskey } from "./passkey.ts";
import { PersonFields } from "./person-fields.tsx";
import {
  asOrganizationName,
  checkOrganization,
  checkPerson,
  errorsOf,
  type FieldErrors,
  MAX_ORGANIZATION_LENGTH,
  personBody,
} from "./person-form.ts";
import { ScrollFrame } from "../ui/scroll-frame.tsx";
import { useWork } from "./use-work.ts";
import { WorkFailure } from "./work-failure.tsx";

interface Props {
  state: AuthState;
  linkKey: string;
  /** The organization's proposed name until the first owner chooses one. */
  proposed: string;
}

/** The first owner names the organization. */
export function FirstStart({ state, linkKey, proposed }: Props) {
  const [organization, setOrganization] = useState(proposed);
  const [person, setPerson] = useState({ name: "", mail: "" });
  const [found, setFound] = useState<FieldErrors>({});
  const work = useWork();
  useFocusOnErrors(found);
  useFocusOnErrors(work.failure);

  const create = (means: Means) => {
    const wrong: FieldErrors = checkPerson(person, means === "mail");
    const problem = checkOrganization(organization);
    if (problem) wrong.organization = problem;
    setFound(wrong);
    if (Object.keys(wrong).length > 0) return;
    void work.run(means, async () => {
      const body = { organization, ...personBody(person) };
      const passkey =
        means === "passkey"
          ? await createPasskey({ for: "start", key: linkKey, name: body.name })
          : undefined;
      const { next } = await sendForm<Next>(`/auth/start/${encodeURIComponent(linkKey)}`, {
        ...body,
        ...(passkey && { passkey }),
      });
      goOn(next);
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create(meansOf(state)[0] ?? "none");
  };

  const errors = errorsOf(found, work.failure);
  return (
    <Gate state={state} beside={<Printed linkKey={linkKey} />}>
      <Heading
        title="This server is yours"
        lead="You opened the link that it printed at its first start. Name the organization and become its first owner."
      />
      <form className="stack" data-gap="wide" noValidate onSubmit={submit}>
        <OrganizationField
          host={state.host}
          value={organization}
          onChange={setOrganization}
          error={errors.organization}
        />
        <PersonFields person={person} onChange={setPerson} errors={errors} />
        <WorkFailure work={work} title="Nothing was created." hasFields />
        <CreateButtons verb="Create" isOperator state={state} work={work} onCreate={create} />
      </form>
      <NoPasswords isOperator />
    </Gate>
  );
}

interface OrganizationFieldProps {
  host: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

function OrganizationField({ host, value, onChange, error }: OrganizationFieldProps) {
  return (
    <Field
      label="Organization"
      name="organization"
      value={value}
      onChange={(text) => onChange(asOrganizationName(text))}
      error={error}
      maxLength={MAX_ORGANIZATION_LENGTH}
      autoComplete="organization"
      spellCheck={false}
      isFirst
      hint={
        <>
          Part of every image&rsquo;s name:{" "}
          <span className="mono">
            {host}/<b>{value || "…"}</b>/web
          </span>
        </>
      }
    />
  );
}

/** The terminal's output, so that people recognize where they came from; the rest of the key stays there. */
function Printed({ linkKey }: { linkKey: string }) {
  const shown = `${linkKey.slice(0, 4)}-····-····`;
  return (
    <aside className="gate-beside" aria-label="What the server printed">
      <div className="terminal">
        <div>first start</div>
        <ScrollFrame className="terminal-text" label="Output of the first start">
          <pre>
            <i>$ </i>npm start{"\n"}
            {__SITE_NAME__} is at {location.origin}
            {"\n\n"}
            <b>No owner yet. Open this link, once, within an hour:</b>
            {"\n"}
            <u>
              {location.origin}/app/start/{shown}
            </u>
          </pre>
        </ScrollFrame>
      </div>
      <p className="lead">
        The link works in one browser only. If someone else opened it, stop the server and start it again. The
        old link is then invalid, and nothing was stored.
      </p>
    </aside>
  );
}
