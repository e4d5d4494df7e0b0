import { type FormEvent, type RefObject, useId, useRef, useState } from "react";
import type { TrustTest } from "#api/gen/json-types.ts";
import { call } from "../../../data/call.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useAction } from "../../../data/use-action.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Status } from "../../../ui/status.tsx";
import { CheckTable } from "./check-table.tsx";
import { explainRefusal } from "./test-words.ts";
import type { TrustRow } from "./trust-rows.ts";

interface Props {
  rows: readonly TrustRow[];
  initial: string | undefined;
  onClose: () => void;
}

const MAX_LENGTH = 16_000;

/** Tests a token or its claims against one relationship. Nothing of it is stored, here or on the server. */
export function TestTokenDialog({ rows, initial, onClose }: Props) {
  const { name: organization } = useOrganization();
  const form = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [chosen, setChosen] = useState(initial ?? "");
  const [token, setToken] = useState("");
  const [test, setTest] = useState<TrustTest | null>(null);
  const { isBusy, error, run } = useAction();
  const row = rows.find(({ key }) => key === chosen) ?? rows[0];
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setTest(null);
    if (!row) return;
    await run(async () => {
      const { tests } = await call(
        "ProjectService/TestTrust",
        { project_id: row.project.id, trust_relationship: row.relationship, oidc_token: token.trim() },
        { organization },
      );
      setTest(tests[0] ?? null);
    });
  };
  return (
    <Dialog
      title="Test a token"
      isWide
      onClose={onClose}
      initialFocus={field}
      footer={
        <>
          <button className="btn" type="button" onClick={onClose}>
            Close
          </button>
          <button
            className="btn action"
            type="submit"
            form={form}
            aria-busy={isBusy}
            disabled={isBusy || !row || token.trim() === ""}
          >
            Test
          </button>
        </>
      }
    >
      <form id={form} className="section" onSubmit={(event) => void send(event)}>
        <RelationshipField rows={rows} row={row} onChange={setChosen} />
        <TokenField ref={field} value={token} onChange={setToken} />
        {error && (
          <p className="note bad" role="alert">
            {error.message}
          </p>
        )}
        <div className="section" aria-live="polite">
          {test && <Outcome test={test} />}
        </div>
      </form>
    </Dialog>
  );
}

interface RelationshipProps {
  rows: readonly TrustRow[];
  row: TrustRow | undefined;
  onChange: (key: string) => void;
}

function RelationshipField({ rows, row, onChange }: RelationshipProps) {
  return (
    <Field label="Relationship" hint={row ? undefined : "There is no relationship yet."}>
      {(control) => (
        <select
          {...control}
          className="input small"
          value={row?.key ?? ""}
          onChange={(event) => onChange(event.target.value)}
        >
          {rows.map(({ key, name, project }) => (
            <option key={key} value={key}>
              {name} in {project.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface TokenProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  value: string;
  onChange: (token: string) => void;
}

function TokenField({ ref, value, onChange }: TokenProps) {
  return (
    <Field
      label="OIDC token, or its claims as JSON"
      hint="It is compared and forgotten: neither this page nor the server keeps it. Its signature is not checked."
    >
      {(control) => (
        <textarea
          {...control}
          ref={ref}
          className="input mono token-input"
          rows={5}
          maxLength={MAX_LENGTH}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function Outcome({ test: { matches, checks, subject } }: { test: TrustTest }) {
  return (
    <>
      {matches ? (
        <Status state="succeeded" word="It would get a token, if its signature is valid" />
      ) : (
        <Status state="failed" word="It would be refused" />
      )}
      <CheckTable checks={checks} label="Claims of the token" />
      {!matches && <p>{explainRefusal(checks, subject)}</p>}
    </>
  );
}
