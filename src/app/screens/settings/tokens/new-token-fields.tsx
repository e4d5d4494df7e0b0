import { type RefObject, useId } from "react";
import type { Project } from "#api/gen/json-types.ts";
import { CallError } from "../../../data/call.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Field } from "../../../ui/field.tsx";
import { Choice } from "../choice.tsx";
import { ExpiryFields } from "./expiry-fields.tsx";
import { type Expiry, type NewTokenType, suggestNames } from "./token-words.ts";

export interface TokenDraft {
  type: NewTokenType;
  /** Empty: the first project. */
  projectId: string;
  name: string;
  isReadOnly: boolean;
  expiry: Expiry;
  /** The last day, for the expiry "date". */
  date: string;
}

interface Props {
  draft: TokenDraft;
  onChange: (parts: Partial<TokenDraft>) => void;
  projects: readonly Project[];
  /** The chosen project. */
  project: Project | undefined;
  /** Milliseconds since 1970. */
  openedAt: number;
  error: Error | null;
  /** The first field. */
  field: RefObject<HTMLInputElement | null>;
}

export function NewTokenFields(props: Props) {
  const { draft, onChange, openedAt } = props;
  const { isOwner } = useOrganization();
  return (
    <>
      <NameField {...props} />
      <Choice
        label="Type"
        value={draft.type}
        onChange={(type) => onChange({ type })}
        options={typeOptions(isOwner)}
      />
      {draft.type === "project" && <ProjectField {...props} />}
      <label className="check">
        <input
          type="checkbox"
          checked={draft.isReadOnly}
          onChange={(event) => onChange({ isReadOnly: event.target.checked })}
        />
        {draft.type === "project"
          ? "Read-only: it may only pull images"
          : "Read-only: it may only pull images and read from the remote cache"}
      </label>
      <ExpiryFields
        value={draft.expiry}
        date={draft.date}
        openedAt={openedAt}
        error={errorAt(props.error, "expires_at")}
        onChange={(expiry) => onChange({ expiry })}
        onDate={(date) => onChange({ date })}
      />
    </>
  );
}

const MAX_NAME_LENGTH = 80;

function NameField({ draft, onChange, project, error, field }: Props) {
  const names = useId();
  return (
    <Field label="Name" hint="What it is for." error={errorAt(error, "name")}>
      {(control) => (
        <>
          <input
            {...control}
            ref={field}
            className="input small"
            autoComplete="off"
            list={names}
            maxLength={MAX_NAME_LENGTH}
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
          <datalist id={names}>
            {suggestNames(draft.type, project?.name ?? "").map((name) => (
              <option key={name}>{name}</option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function ProjectField({ onChange, projects, project, error }: Props) {
  return (
    <Field
      label="Project"
      hint={projects.length === 0 ? "There is no project yet: create one first." : undefined}
      error={errorAt(error, "project_id")}
    >
      {(control) => (
        <select
          {...control}
          className="input small"
          value={project?.id ?? ""}
          onChange={(event) => onChange({ projectId: event.target.value })}
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const errorAt = (error: Error | null, field: string) =>
  error instanceof CallError && error.field === field ? error.message : undefined;

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
