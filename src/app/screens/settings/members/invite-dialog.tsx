import { type FormEvent, type RefObject, useId, useRef, useState } from "react";
import { CallError } from "../../../data/call.ts";
import { createIdempotencyKeys } from "../../../data/idempotency-key.ts";
import { useHere, useOrganization } from "../../../data/organization.ts";
import { useAction } from "../../../data/use-action.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { FormButtons } from "../../../ui/form-buttons.tsx";
import { Choice } from "../choice.tsx";

interface Props {
  onInvite: (mail: string, role: string, key: string) => Promise<void>;
  onClose: () => void;
}

const MAX_MAIL_LENGTH = 254;
const ROLES = [
  { value: "member", label: "Member", text: "Works in all projects and creates project tokens." },
  {
    value: "owner",
    label: "Owner",
    text: "Also invites people, changes trust relationships and deletes projects.",
  },
] as const;

export function InviteDialog({ onInvite, onClose }: Props) {
  const { name: organization } = useOrganization();
  const { methods } = useHere().state;
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const [keys] = useState(createIdempotencyKeys);
  const [mail, setMail] = useState("");
  const [role, setRole] = useState<"member" | "owner">("member");
  const { isBusy, error, run } = useAction();
  const isMailWrong = error instanceof CallError && error.field === "mail";
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const address = mail.trim();
    if (await run(() => onInvite(address, role, keys.of({ address, role })))) onClose();
  };
  const isMailed = methods.mail && mail.trim() !== "";
  return (
    <Dialog
      title={`Invite someone to ${organization}`}
      onClose={onClose}
      initialFocus={field}
      footer={
        <FormButtons form={form} isBusy={isBusy} onClose={onClose}>
          {isMailed ? "Send the invitation" : "Make a link"}
        </FormButtons>
      }
    >
      <form id={form} className="section" noValidate onSubmit={(event) => void send(event)}>
        <MailField {...{ mail, field }} onChange={setMail} error={isMailWrong ? error.message : undefined} />
        <Choice label="Role" value={role} onChange={setRole} options={ROLES} />
        <p>The link lets one person join, within seven days.</p>
        {error && !isMailWrong && (
          <p className="note bad" role="alert">
            {error.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface MailFieldProps {
  mail: string;
  onChange: (mail: string) => void;
  error: string | undefined;
  field: RefObject<HTMLInputElement | null>;
}

function MailField({ mail, onChange, error, field }: MailFieldProps) {
  const { methods } = useHere().state;
  return (
    <Field
      label="Mail, if you know it"
      hint={
        methods.mail
          ? "The link is sent there. Without an address, you get the link and pass it on yourself."
          : "This server sends no mail: you get the link and pass it on yourself."
      }
      error={error}
    >
      {(control) => (
        <input
          {...control}
          ref={field}
          className="input small"
          type="email"
          autoComplete="off"
          maxLength={MAX_MAIL_LENGTH}
          value={mail}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
