import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useNavigate, useNavigationType, useSearchParams } from "react-router";
import { withParams } from "../data/address.ts";
import { call } from "../data/call.ts";
import { useHere } from "../data/organization.ts";
import { authStateQuery } from "../data/queries.ts";
import type { Membership } from "../data/answers.ts";
import { describeFailure } from "../data/ask-server.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormButtons } from "../ui/form-buttons.tsx";
import { NotAllowed } from "../ui/not-allowed.tsx";
import { showToast } from "../ui/toast.ts";
import { addressOf } from "../page/places.ts";

/** The question about an organization that the address names. */
export function OrganizationDialog() {
  const { organization, user } = useHere();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const type = useNavigationType();
  const onClose = () => {
    const { pathname, search } = window.location;
    const now = new URLSearchParams(search);
    // After a deletion the page has already changed.
    if (!now.has("do")) return;
    // An entry that a press opened is left by going back; an entry from a link or a reload is replaced.
    if (type === "PUSH") void navigate(-1);
    else void navigate(pathname + withParams(now, { do: null }), { replace: true });
  };
  const question = params.get("do");
  if (question === "new-organization")
    return user.is_operator ? <Create onClose={onClose} /> : <OperatorsOnly onClose={onClose} />;
  if (!organization) return null;
  if (organization.role !== "owner") return <OwnersOnly onClose={onClose} />;
  return question === "rename-organization" ? (
    <Rename organization={organization} onClose={onClose} />
  ) : (
    <Delete organization={organization} onClose={onClose} />
  );
}

interface Asked {
  onClose: () => void;
}

function Create({ onClose }: Asked) {
  const goTo = useArrival();
  const create = async (name: string) => {
    const { organization } = await call("OrganizationService/Create", { name });
    await goTo(organization?.name ?? name);
  };
  return (
    <NameDialog title="New organization" button="Create organization" onSave={create} onClose={onClose} />
  );
}

function Rename({ organization, onClose }: Asked & { organization: Membership }) {
  const goTo = useArrival();
  const rename = async (name: string) => {
    const answer = await call("OrganizationService/Update", { organization: organization.id, name });
    await goTo(answer.organization?.name ?? name);
  };
  return (
    <NameDialog
      title={
        <>
          Rename <bdi>{organization.name}</bdi>
        </>
      }
      former={organization.name}
      button="Rename"
      hint="Addresses and commands with the old name stop working. Ids stay the same."
      onSave={rename}
      onClose={onClose}
    />
  );
}

function Delete({ organization, onClose }: Asked & { organization: Membership }) {
  const { user } = useHere();
  const goTo = useArrival();
  const remove = async () => {
    await call("OrganizationService/Delete", { organization: organization.id });
    await goTo(user.organizations.find(({ id }) => id !== organization.id)?.name);
    showToast({ text: `Deleted ${organization.name}` });
  };
  return (
    <ConfirmDialog
      title={
        <>
          Delete the organization <bdi>{organization.name}</bdi>?
        </>
      }
      confirm="Delete organization"
      cancel="Keep it"
      typed={organization.name}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        Its projects, tokens and trust relationships are deleted, and its members lose access at once. People
        keep their accounts. This cannot be undone. The server&rsquo;s first organization cannot be deleted.
      </p>
    </ConfirmDialog>
  );
}

interface NameProps extends Asked {
  title: ReactNode;
  former?: string;
  button: string;
  hint?: string;
  onSave: (name: string) => Promise<void>;
}

function NameDialog({ title, former = "", button, hint, onSave, onClose }: NameProps) {
  const [name, setName] = useState(former);
  const [error, setError] = useState<string | undefined>();
  const [isBusy, setIsBusy] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || name.trim() === "" || name === former) return;
    setIsBusy(true);
    await onSave(name.trim()).catch((cause: unknown) => {
      setIsBusy(false);
      setError(describeFailure(cause));
    });
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <FormButtons form="organization-form" isBusy={isBusy} onClose={onClose}>
          {button}
        </FormButtons>
      }
    >
      <form id="organization-form" onSubmit={(event) => void save(event)}>
        <Field label="Name" hint={hint} error={error}>
          {(control) => (
            <input
              className="input"
              {...control}
              value={name}
              maxLength={100}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => {
                setName(target.value);
                setError(undefined);
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function OperatorsOnly({ onClose }: Asked) {
  return (
    <Dialog title="Operators create organizations" onClose={onClose} footer={<Close onClose={onClose} />}>
      <p>
        The operators are the owners of the server&rsquo;s first organization. Ask one of them to create
        yours.
      </p>
    </Dialog>
  );
}

function OwnersOnly({ onClose }: Asked) {
  return (
    <Dialog title="Owners change an organization" onClose={onClose} footer={<Close onClose={onClose} />}>
      <NotAllowed what="rename and delete an organization" />
    </Dialog>
  );
}

function Close({ onClose }: Asked) {
  return (
    <button className="btn" type="button" onClick={onClose}>
      Close
    </button>
  );
}

/** Goes to an organization that was just created, or away from one that is gone. */
function useArrival() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (name: string | undefined) => {
    await client.refetchQueries({ queryKey: authStateQuery.queryKey });
    await navigate(name === undefined ? "/app" : addressOf(name, ""), { replace: true });
  };
}
