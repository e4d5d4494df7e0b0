import { useEffect, useMemo, useState } from "react";
import type { AuthState, SignedInUser } from "../gate/answers.ts";
import { readAnswer } from "../gate/ask-server.ts";
import { Gate, Heading, Note } from "../gate/gate.tsx";
import { LoadFailure, Loading } from "../gate/loading.tsx";
import { useAsked } from "../gate/use-work.ts";
import { MethodView } from "./method-view.tsx";
import { listMethods, type Method } from "./openapi.ts";
import "../styles/reference.css";

interface Props {
  state: AuthState;
  user: SignedInUser;
}

/** `/app/api#ProjectService/List`: every method of this server, and its answer to the person who is signed in. */
export function ReferencePage({ state, user }: Props) {
  const [document, again] = useAsked("/openapi.json", (path) => readAnswer<unknown>(path));
  if (document.status === "waiting") return <Loading state={state} />;
  if (document.status === "failed")
    return <LoadFailure state={state} error={document.error} onRetry={again} />;
  return <Reference state={state} user={user} document={document.data} />;
}

function Reference({ state, user, document }: Props & { document: unknown }) {
  const methods = useMemo(() => listMethods(document), [document]);
  const current = useFragment();
  const method = methods.find(({ id }) => id === current) ?? methods[0];
  return (
    <Gate
      state={state}
      user={user}
      width="page"
      links={[{ href: "/docs/api/overview", label: "About the API" }]}
    >
      <Heading
        title="API reference"
        lead={
          <>
            Methods of this server. Requests are sent as you and change what they say; programs send a token
            instead, as <a href="/docs/api/authentication">Authentication</a> describes.
          </>
        }
      />
      {method ? (
        <div className="reference">
          <MethodList methods={methods} current={method.id} />
          <MethodView key={method.id} method={method} user={user} />
        </div>
      ) : (
        <Note kind="warn" title="This server describes no methods.">
          <code>/openapi.json</code> is empty or something else.
        </Note>
      )}
    </Gate>
  );
}

function MethodList({ methods, current }: { methods: readonly Method[]; current: string }) {
  const services = [...new Set(methods.map(({ service }) => service))];
  return (
    <nav className="reference-nav" aria-label="Methods">
      {services.map((service) => (
        <details key={service} open={current.startsWith(`${service}/`)}>
          <summary>{service}</summary>
          <ul>
            {methods
              .filter((method) => method.service === service)
              .map(({ id, name }) => (
                <li key={id}>
                  <a href={`#${id}`} aria-current={id === current ? "page" : undefined}>
                    {name}
                  </a>
                </li>
              ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

function useFragment(): string {
  const [fragment, setFragment] = useState(readFragment);
  useEffect(() => {
    const onChange = () => setFragment(readFragment());
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return fragment;
}

const readFragment = () => location.hash.slice(1);
