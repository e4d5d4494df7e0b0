import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SignIn } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { signInsQuery } from "../../data/queries.ts";
import { useAction } from "../../data/use-action.ts";
import { formatDate } from "../../dates.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Status } from "../../ui/status.tsx";
import { Section, SectionRow } from "./section.tsx";

/** The browsers in which the person is signed in. */
export function SignIns() {
  const { data, error, refetch } = useQuery(signInsQuery);
  const [isAsked, ask] = useState(false);
  const others = data?.filter(({ is_current: isCurrent }) => !isCurrent) ?? [];
  return (
    <Section
      title="Signed in"
      lead="A browser stays signed in for 30 days after its last use, and for 90 days at most."
      action={
        others.length > 1 && (
          <button className="btn" type="button" onClick={() => ask(true)}>
            End all others…
          </button>
        )
      }
    >
      {!data && error && <Failure what="Browsers" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="browsers" />}
      {data?.map((signIn) => (
        <Browser key={signIn.id} signIn={signIn} />
      ))}
      {isAsked && <EndOthers others={others} onClose={() => ask(false)} />}
    </Section>
  );
}

function Browser({
  signIn: { id, browser, address, last_used_at: used, expires_at: endsAt, is_current: isCurrent },
}: {
  signIn: SignIn;
}) {
  const client = useQueryClient();
  const { isBusy, error, run } = useAction();
  const name = browser || "A browser";
  const end = () =>
    void run(async () => {
      await call("AccountService/EndSignIn", { sign_in_id: id });
      await client.invalidateQueries({ queryKey: ["sign-ins"] });
    });
  return (
    <SectionRow
      title={<bdi>{name}</bdi>}
      text={
        <>
          <span className="mono">{address}</span>, <Ago at={used} />
          {endsAt !== undefined && (
            <>
              , until <time dateTime={endsAt}>{formatDate(new Date(endsAt))}</time> at most
            </>
          )}
        </>
      }
    >
      {isCurrent ? (
        <Status state="succeeded" word="This browser" />
      ) : (
        <button
          className="btn"
          type="button"
          aria-busy={isBusy}
          aria-label={`End ${name} at ${address}`}
          onClick={end}
        >
          End
        </button>
      )}
      {error && (
        <p className="text-xs text-fail" role="alert">
          {error.message}
        </p>
      )}
    </SectionRow>
  );
}

function EndOthers({ others, onClose }: { others: readonly SignIn[]; onClose: () => void }) {
  const client = useQueryClient();
  const end = async () => {
    try {
      // One after another: the server can end all only together with this one.
      for (const { id } of others) await call("AccountService/EndSignIn", { sign_in_id: id });
    } finally {
      await client.invalidateQueries({ queryKey: ["sign-ins"] });
    }
  };
  return (
    <ConfirmDialog
      title="Sign out everywhere but here?"
      confirm={`End ${others.length}`}
      cancel="Keep them"
      onConfirm={end}
      onClose={onClose}
    >
      <p>
        {others.length} browsers must sign in again when you next use them. Tokens of the CLI and of programs
        stay as they are.
      </p>
    </ConfirmDialog>
  );
}
