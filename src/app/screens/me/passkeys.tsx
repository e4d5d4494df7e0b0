import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Passkey } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import type { AuthState } from "../../data/answers.ts";
import { useHere } from "../../data/organization.ts";
import { passkeysQuery } from "../../data/queries.ts";
import { useAction } from "../../data/use-action.ts";
import { sendForm } from "../../data/ask-server.ts";
import { createPasskey } from "../../gate/passkey.ts";
import { canUsePasskeys, whyNoPasskeys } from "../../gate/way-in.tsx";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";
import { nameOfBrowser } from "./name-of-browser.ts";
import { useOwnSignInMethods } from "./own-sign-in-methods.ts";
import { Section, SectionRow } from "./section.tsx";

export function Passkeys() {
  const { state, user } = useHere();
  const { data, error, refetch } = useQuery(passkeysQuery);
  const [asked, ask] = useState<Passkey | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  return (
    <Section
      title="Passkeys"
      lead="A passkey signs you in without a password, on the device that holds it."
      action={canUsePasskeys(state) && <AddPasskey onAdded={setAdded} />}
    >
      {!data && error && <Failure what="Passkeys" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading what="passkeys" />}
      {added !== null && (
        <output className="panel-body text-xs text-ok">
          You can sign in with <bdi>{added}</bdi> from now on.
        </output>
      )}
      {data?.length === 0 && (
        <SectionRow
          title="None yet"
          text={
            canUsePasskeys(state) ? (
              "With a passkey, you sign in without a link."
            ) : (
              <NoneHere state={state} isOperator={user.is_operator} />
            )
          }
        />
      )}
      {data?.map((passkey) => (
        <SectionRow
          key={passkey.id}
          title={<bdi>{passkey.name}</bdi>}
          text={
            <>
              Added <Ago at={passkey.created_at} />, last used <Ago at={passkey.last_used_at} />
              {passkey.verifies_user && ", verifies you"}
            </>
          }
        >
          <button
            className="btn danger"
            type="button"
            aria-label={`Delete ${passkey.name}…`}
            onClick={() => ask(passkey)}
          >
            Delete…
          </button>
        </SectionRow>
      ))}
      {asked && <DeletePasskey passkey={asked} isLast={data?.length === 1} onClose={() => ask(null)} />}
    </Section>
  );
}

function NoneHere({ state, isOperator }: { state: AuthState; isOperator: boolean }) {
  return (
    <>
      {whyNoPasskeys(state)} You cannot add one here.{" "}
      {isOperator ? (
        <>
          You run this server: give it{" "}
          <a className="link" href="/docs/managed/overview/tls">
            a certificate
          </a>{" "}
          or{" "}
          <a className="link" href="/docs/managed/overview/proxy">
            a proxy
          </a>
          .
        </>
      ) : (
        "Ask whoever runs this server for its https address."
      )}
    </>
  );
}

function AddPasskey({ onAdded }: { onAdded: (name: string) => void }) {
  const client = useQueryClient();
  const { isBusy, error, run } = useAction();
  const add = () =>
    void run(async () => {
      const passkey = await createPasskey({ for: "add" });
      const { name } = await sendForm<{ name: string }>("/auth/passkey", {
        ...passkey,
        name: nameOfBrowser(navigator.userAgent),
      });
      onAdded(name);
      await Promise.all(
        [["passkeys"], ["members"]].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    });
  return (
    <>
      {error && (
        <span className="text-xs text-fail" role="alert">
          No passkey was added. {error.message}
        </span>
      )}
      <button className="btn" type="button" aria-busy={isBusy} onClick={add}>
        <Icon name="plus" />
        Add a passkey
      </button>
    </>
  );
}

interface DeleteProps {
  passkey: Passkey;
  isLast: boolean;
  onClose: () => void;
}

function DeletePasskey({ passkey, isLast, onClose }: DeleteProps) {
  const { state } = useHere();
  const client = useQueryClient();
  const methods = useOwnSignInMethods() ?? [];
  const hasOther = methods.some(
    (method) => method !== "passkey" && (method !== "mail" || state.methods.mail),
  );
  const remove = async () => {
    await call("AccountService/DeletePasskey", { passkey_id: passkey.id });
    await Promise.all([["passkeys"], ["members"]].map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  return (
    <ConfirmDialog
      title={
        <>
          Delete the passkey <bdi>{passkey.name}</bdi>?
        </>
      }
      confirm="Delete the passkey"
      cancel="Keep it"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        The device that holds it no longer signs you in. Browsers that are signed in stay signed in. This
        cannot be undone; you can add a new one.
        {isLast && !hasOther && (
          <>
            {" "}
            <b>It is your only way to sign in</b>: without it, only a link from the operator lets you in.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
