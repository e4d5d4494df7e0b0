import type { Project } from "#api/gen/json-types.ts";
import { CallError } from "../../../data/call.ts";
import { ClaimsForm } from "../../../ui/claims-form.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { ProviderMark } from "./provider-mark.tsx";
import { PROVIDERS } from "./providers.ts";
import type { useTrustDraft } from "./use-trust-draft.ts";

interface Props {
  form: ReturnType<typeof useTrustDraft>;
  projects: readonly Project[];
  isNew: boolean;
  claimErrors: ReadonlyMap<number, string>;
  error: Error | null;
}

const MAX_LENGTH = 500;

export function TrustFields({ form, projects, isNew, claimErrors, error }: Props) {
  const { draft, change, provider } = form;
  const errorOf = (part: string) =>
    error instanceof CallError && error.field?.endsWith(part) ? error.message : undefined;
  return (
    <>
      <ProviderChoice form={form} />
      {isNew && (
        <Field label="Project" hint="Its jobs build in this project and use its layer cache.">
          {(control) => (
            <select
              {...control}
              className="input small"
              value={draft.projectId}
              onChange={(event) => change({ projectId: event.target.value })}
            >
              {projects.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field
        label="Issuer"
        hint={provider?.id === "circleci" ? "Ends with the id of your organization there." : undefined}
        error={errorOf(".issuer")}
      >
        {(control) => (
          <input
            {...control}
            className="input small mono"
            type="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_LENGTH}
            value={draft.issuer}
            onChange={(event) => change({ issuer: event.target.value })}
          />
        )}
      </Field>
      <Field label="Audience" hint="Always this server’s origin.">
        {(control) => <input {...control} className="input small mono" value={location.origin} readOnly />}
      </Field>
      <ClaimsForm claims={draft.claims} onChange={(claims) => change({ claims })} errors={claimErrors} />
      <Narrower form={form} />
      <CacheField form={form} error={errorOf(".cache")} />
    </>
  );
}

function ProviderChoice({ form: { choose, provider } }: Pick<Props, "form">) {
  return (
    <div className="field">
      <span id="provider">Provider</span>
      <fieldset className="segmented providers" aria-labelledby="provider">
        {PROVIDERS.map((each) => (
          <button
            key={each.id}
            type="button"
            aria-pressed={each.id === provider?.id}
            onClick={() => choose(each)}
          >
            <ProviderMark issuer={each.issuer} />
            {each.label}
          </button>
        ))}
      </fieldset>
      {!provider && <small>Another issuer, such as a GitLab of your own.</small>}
    </div>
  );
}

/** Buttons that each add a claim to exclude jobs which need no token. */
function Narrower({ form: { draft, provider, addClaim } }: Pick<Props, "form">) {
  const left =
    provider?.narrower.filter((name) => draft.claims.every((claim) => claim.name.trim() !== name)) ?? [];
  if (left.length === 0) return null;
  return (
    <fieldset className="row wrap narrower" aria-label="Narrow it">
      <span className="text-xs subtle">Narrow it:</span>
      {left.map((name) => (
        <button className="chip mono" key={name} type="button" onClick={() => addClaim(name)}>
          <Icon name="plus" />
          {name}
        </button>
      ))}
    </fieldset>
  );
}

function CacheField({ form: { draft, change }, error }: Pick<Props, "form"> & { error: string | undefined }) {
  return (
    <Field label="Cache" hint="What its jobs may do to the remote cache." error={error}>
      {(control) => (
        <select
          {...control}
          className="input small"
          value={draft.cache}
          onChange={(event) => change({ cache: event.target.value })}
        >
          <option value="read">Read</option>
          <option value="overlay">Read, and write for themselves</option>
          <option value="write">Read and write for everyone</option>
        </select>
      )}
    </Field>
  );
}
