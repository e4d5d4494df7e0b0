import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Ref, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Project } from "#api/gen/json-types.ts";
import { call, CallError } from "../../data/call.ts";
import { createIdempotencyKeys } from "../../data/idempotency-key.ts";
import { useOrganization } from "../../data/organization.ts";
import { addressOf } from "../../page/places.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormButtons } from "../../ui/form-buttons.tsx";
import { explainProjectName } from "./project-name.ts";
import { builderChoices, DEFAULT_BUILDER_SIZE } from "./project-settings-values.ts";

interface Props {
  taken: readonly Project[];
  onClose: () => void;
}

/** `?new=1`. Errors of a name appear while typing. */
export function NewProject({ taken, onClose }: Props) {
  const { name: organization } = useOrganization();
  const [name, setName] = useState("");
  const [size, setSize] = useState(String(DEFAULT_BUILDER_SIZE));
  const { mutate, isPending, error, reset } = useCreate(organization);
  const field = useRef<HTMLInputElement>(null);
  const form = useId();
  const wrong = explainProjectName(
    name,
    taken.map((project) => project.name),
  );
  const isOfName = error instanceof CallError && (error.field === "name" || error.code === "already_exists");
  const submit = () => {
    if (name !== "" && !wrong && !isPending) mutate({ name, size });
    else field.current?.focus();
  };
  return (
    <Dialog
      title={`New project in ${organization}`}
      onClose={onClose}
      initialFocus={field}
      footer={
        <FormButtons form={form} isBusy={isPending} onClose={onClose}>
          {name && !wrong ? `Create ${name}` : "Create the project"}
        </FormButtons>
      }
    >
      <form
        id={form}
        className="section"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <NameField
          ref={field}
          name={name}
          error={wrong ?? (isOfName ? error.message : undefined)}
          onChange={(next) => {
            setName(next);
            reset();
          }}
        />
        <SizeField size={size} onChange={setSize} />
        {error && !isOfName && (
          <p className="text-fail text-xs" role="alert">
            {error.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface NameProps {
  ref: Ref<HTMLInputElement>;
  name: string;
  error: string | undefined;
  onChange: (name: string) => void;
}

function NameField({ ref, name, error, onChange }: NameProps) {
  return (
    <Field
      label="Name"
      hint="Usually the repository's name. It is also the name of the project's images."
      error={error}
    >
      {(control) => (
        <input
          {...control}
          ref={ref}
          className="input mono"
          value={name}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function SizeField({ size, onChange }: { size: string; onChange: (size: string) => void }) {
  return (
    <Field
      label="Builder size"
      hint="CPUs and memory of one builder per architecture. It can be changed later."
    >
      {(control) => (
        <select
          {...control}
          className="input"
          value={size}
          onChange={(event) => onChange(event.target.value)}
        >
          {builderChoices().map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface NewOne {
  name: string;
  size: string;
}

function useCreate(organization: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [keys] = useState(createIdempotencyKeys);
  return useMutation({
    mutationFn: ({ name, size }: NewOne) => {
      const request = { name, builder_size: Number(size) };
      return call("ProjectService/Create", request, { organization, idempotencyKey: keys.of(request) });
    },
    onSuccess: async (_answer, { name }) => {
      await client.invalidateQueries({ queryKey: ["projects", organization] });
      void client.invalidateQueries({ queryKey: ["first-run", organization] });
      void navigate(addressOf(organization, `projects/${encodeURIComponent(name)}`), { replace: true });
    },
  });
}
