import type { ReactNode } from "react";
import { useHere } from "../../../data/organization.ts";
import { Status } from "../../../ui/status.tsx";

/** The server's ways to sign in; an operator sets them. */
export function SigningIn() {
  const { methods } = useHere().state;
  return (
    <section className="section" aria-labelledby="signing-in">
      <div className="section-header">
        <h2 id="signing-in">Signing in</h2>
        <a className="link text-xs" href="/docs/managed/overview/run#settings">
          Set by the operator of this server
        </a>
      </div>
      <div className="panel ways">
        <Way name="Passkey" isOn={methods.passkey}>
          {methods.passkey
            ? "Each member can keep several."
            : "Needs https and a host name: TLS_CERT, or a proxy that terminates TLS, and SITE_ORIGIN."}
        </Way>
        <Way name="Link by mail" isOn={methods.mail}>
          {methods.mail
            ? "A link works once, within 15 minutes, in the browser that requested it."
            : "Needs a mail server: MILLRACE_SMTP_URL."}
        </Way>
        <Way
          name={methods.oidc === null ? "OIDC provider" : `${methods.oidc}, as an OIDC provider`}
          isOn={methods.oidc !== null}
        >
          {methods.oidc === null
            ? "Needs an issuer: MILLRACE_OIDC_ISSUER."
            : "Only invited people can sign in."}
        </Way>
        <Way name="GitHub" isOn={methods.github}>
          {methods.github ? "Only invited people can sign in." : "Needs a GitHub OAuth app."}
        </Way>
      </div>
    </section>
  );
}

function Way({ name, isOn, children }: { name: string; isOn: boolean; children: ReactNode }) {
  return (
    <div className="setting-row">
      <div>
        <h3>{name}</h3>
        <p className="text-xs muted">{children}</p>
      </div>
      <div>
        <Status state={isOn ? "succeeded" : "canceled"} word={isOn ? "On" : "Off"} />
      </div>
    </div>
  );
}
