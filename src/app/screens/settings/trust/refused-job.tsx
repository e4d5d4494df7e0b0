import type { TrustTest } from "#api/gen/json-types.ts";
import { Ago } from "../../../ui/ago.tsx";
import { CheckTable } from "./check-table.tsx";
import { explainRefusal } from "./test-words.ts";

/** A job that would not get a token: the differences, and how to let it in. */
export function RefusedJob({ test: { subject, time, checks } }: { test: TrustTest }) {
  return (
    <section className="section" aria-labelledby="refused-job">
      <div className="section-header">
        <h2 id="refused-job">
          Refused: <bdi>{subject || "a job without a subject"}</bdi>
        </h2>
        <span className="text-xs subtle">
          <Ago at={time} />
        </span>
      </div>
      <CheckTable checks={checks} label="Claims of the refused job" />
      <p className="text-xs muted">
        {explainRefusal(checks, subject)}{" "}
        <a className="link" href="/docs/api/authentication/ci-providers">
          CI identities
        </a>
      </p>
    </section>
  );
}
