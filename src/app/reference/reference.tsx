import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useLocation } from "react-router";
import { useHere } from "../data/organization.ts";
import { Head, Page } from "../page/page.tsx";
import { readAnswer } from "../data/ask-server.ts";
import { Failure } from "../ui/failure.tsx";
import { Loading } from "../ui/loading.tsx";
import { MethodView } from "./method-view.tsx";
import { listMethods, type Method } from "./openapi.ts";
import "../styles/reference.css";

/** `/app/api#ProjectService/List`: every method of this server, to be tried as the signed-in person. */
export function ReferenceScreen() {
  const { data, error, refetch } = useQuery({
    queryKey: ["openapi"],
    queryFn: () => readAnswer<unknown>("/openapi.json"),
    staleTime: Infinity,
  });
  return (
    <Page title="API reference">
      <Head
        title="API reference"
        lead={
          <>
            Methods of this server. Requests are sent as you and make real changes. Programs send a token
            instead, as{" "}
            <a className="link" href="/docs/api/authentication">
              Authentication
            </a>{" "}
            describes.
          </>
        }
        actions={
          <a className="btn" href="/docs/api/overview">
            About the API
          </a>
        }
      />
      {data !== undefined ? (
        <Reference document={data} />
      ) : error ? (
        <Failure what="The API’s methods" error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the API's methods" />
      )}
    </Page>
  );
}

function Reference({ document }: { document: unknown }) {
  const methods = useMemo(() => listMethods(document), [document]);
  const { user } = useHere();
  const current = useLocation().hash.slice(1);
  const method = methods.find(({ id }) => id === current) ?? methods[0];
  if (!method)
    return (
      <p className="note warn">
        <span>
          <b>This server describes no methods.</b> <code>/openapi.json</code> is empty or invalid.
        </span>
      </p>
    );
  return (
    <div className="reference">
      <MethodList methods={methods} current={method.id} />
      <MethodView key={method.id} method={method} user={user} isChosen={current !== ""} />
    </div>
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
                  <Link to={`#${id}`} aria-current={id === current ? "page" : undefined}>
                    {name}
                  </Link>
                </li>
              ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}
