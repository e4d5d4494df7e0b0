import { type FormEvent, useId, useRef, useState } from "react";
import type { Project, TokenServiceCreateRequest } from "#api/gen/json-types.ts";
import { CallError } from "../../../data/call.ts";
import { createIdempotencyKeys } from "../../../data/idempotency-key.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useAction } from "../../../data/use-action.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Choice } from "../choice.tsx";
import { ExpiryFields } from "./expiry-fields.tsx";
import {
  type Expiry,
  explainRights,
  type NewTokenType,
  suggestNames,
  toTokenRequest,
} from "./token-words.ts";

interface Props {
  projects: readonly Project[];
  onCreate: (request: TokenServiceCreateRequest, key: string) => Promise<void>;
  onClose: () => void;
}

const MAX_NAME_LENGTH = 80;

export function NewTokenDialog({ projects, onCreate, onClose }: Props) {
  const { name: organization, isOwner } = useOrganization();
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const [openedAt] = useState(Date.now);
  const [keys] = useState(createIdempotencyKeys);
  const [type, setType] = useState<NewTokenType>("project");
  const [chosen, setChosen] = useState("");
  const [name, setName] = useState("");
  const [isReadOnly, setReadOnly] = useState(false);
  const [expiry, setExpiry] = useState<Expiry>("90");
  const [date, setDate] = useState("");
  const { isBusy, error, run } = useAction();
  const project = projects.find(({ id }) => id === chosen) ?? projects[0];
  const errorOf = (...fields: string[]) =>
    error instanceof CallError && fields.includes(error.field ?? "") ? error.message : undefined;
  const isElsewhere = error && !errorOf("name", "project_id", "expires_at");
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const draft = { name, type, projectId: project?.id ?? "", isReadOnly, expiry, date };
    const create = async () => {
      // Without a day it would never end, which nobody chose.
      if (expiry === "date" && date === "") throw missingDay();
      const request = toTokenRequest(draft, openedAt);
      await onCreate(request, keys.of(request));
    };
    if (await run(create)) onClose();
  };
  return (
    <Dialog
      title="New token"
      onClose={onClose}
      initialFocus={field}
      footer={
        <>
          <button className="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button className="btn act" type="submit" form={form} aria-busy={isBusy} disabled={isBusy}>
            Create the token
          </button>
        </>
      }
    >
      <form id={form} className="sec" noValidate onSubmit={(event) => void send(event)}>
        <Field label="Name" hint="What it is for." error={errorOf("name")}>
          {(control) => (
            <>
              <input
                {...control}
                ref={field}
                className="in sm"
                autoComplete="off"
                list={`${form}-names`}
                maxLength={MAX_NAME_LENGTH}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
              <datalist id={`${form}-names`}>
                {suggestNames(type, project?.name ?? "").map((each) => (
                  <option key={each} value={each} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Choice label="Type" value={type} onChange={setType} options={typeOptions(isOwner)} />
        {type === "project" && (
          <Field
            label="Project"
            hint={projects.length === 0 ? "There is none yet: create one first." : undefined}
            error={errorOf("project_id")}
          >
            {(control) => (
              <select
                {...control}
                className="in sm"
                value={project?.id ?? ""}
                onChange={(event) => setChosen(event.target.value)}
              >
                {projects.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {type !== "project" && (
          <label className="check">
            <input
              type="checkbox"
              checked={isReadOnly}
              onChange={(event) => setReadOnly(event.target.checked)}
            />
            It may only read from the remote cache
          </label>
        )}
        <ExpiryFields
          value={expiry}
          date={date}
          openedAt={openedAt}
          error={errorOf("expires_at")}
          onChange={setExpiry}
          onDate={setDate}
        />
        <p className="note">
          {explainRights(
            { type, read_only: type !== "project" && isReadOnly },
            { organization, project: project?.name ?? "its project" },
          )}
        </p>
        {isElsewhere && (
          <p className="note bad" role="alert">
            {error.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}

const missingDay = () =>
  new CallError("Choose the last day.", { code: "invalid_argument", status: 400, field: "expires_at" });

const typeOptions = (isOwner: boolean) =>
  [
    { value: "project", label: "Project", text: "For one project: a server that pulls, a CI without OIDC." },
    {
      value: "org",
      label: "Organization",
      text: isOwner
        ? "For an automation that works in all projects."
        : "Owners create tokens of the organization.",
      isOff: !isOwner,
    },
    { value: "user", label: "Yours", text: "For your own machine, where millrace login cannot run." },
  ] as const;
