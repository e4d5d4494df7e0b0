import { type FormEvent, useId, useRef, useState } from "react";
import type { Project, TokenServiceCreateRequest } from "#api/gen/json-types.ts";
import { CallError } from "../../../data/call.ts";
import { createIdempotencyKeys } from "../../../data/idempotency-key.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useAction } from "../../../data/use-action.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { FormButtons } from "../../../ui/form-buttons.tsx";
import { NewTokenFields, type TokenDraft } from "./new-token-fields.tsx";
import { explainRights, toTokenRequest } from "./token-words.ts";

interface Props {
  projects: readonly Project[];
  onCreate: (request: TokenServiceCreateRequest, key: string) => Promise<void>;
  onClose: () => void;
}

const EMPTY: TokenDraft = {
  type: "project",
  projectId: "",
  name: "",
  isReadOnly: false,
  expiry: "90",
  date: "",
};
const FIELDS = ["name", "project_id", "expires_at"];

export function NewTokenDialog({ projects, onCreate, onClose }: Props) {
  const { name: organization } = useOrganization();
  const form = useId();
  const field = useRef<HTMLInputElement>(null);
  const [openedAt] = useState(Date.now);
  const [keys] = useState(createIdempotencyKeys);
  const [draft, setDraft] = useState(EMPTY);
  const { isBusy, error, run } = useAction();
  const project = projects.find(({ id }) => id === draft.projectId) ?? projects[0];
  const isAtField = error instanceof CallError && FIELDS.includes(error.field ?? "");
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const create = async () => {
      // Without a day it would never end, which the person did not choose.
      if (draft.expiry === "date" && draft.date === "") throw missingDay();
      const request = toTokenRequest({ ...draft, projectId: project?.id ?? "" }, openedAt);
      await onCreate(request, keys.of(request));
    };
    if (await run(create)) onClose();
  };
  return (
    <Dialog
      title="New token"
      onClose={onClose}
      initialFocus={field}
      footer={<FormButtons {...{ form, isBusy, onClose }}>Create the token</FormButtons>}
    >
      <form id={form} className="section" noValidate onSubmit={(event) => void send(event)}>
        <NewTokenFields
          {...{ draft, projects, project, openedAt, error, field }}
          onChange={(parts) => setDraft((now) => ({ ...now, ...parts }))}
        />
        <p className="note">
          {explainRights(
            { type: draft.type, read_only: draft.isReadOnly },
            { organization, project: project?.name ?? "its project" },
          )}
        </p>
        {error && !isAtField && (
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
