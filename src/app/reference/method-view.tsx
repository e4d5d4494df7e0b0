import { useEffect, useRef } from "react";
import type { SignedInUser } from "../data/answers.ts";
import type { Field, Method } from "./openapi.ts";
import { TryIt } from "./try-it.tsx";
import { WithCode } from "./with-code.tsx";

interface Props {
  method: Method;
  user: SignedInUser;
  /** The address names this method: it gets the focus, since on a phone it stands below the whole list. */
  isChosen: boolean;
}

export function MethodView({ method, user, isChosen }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isChosen) heading.current?.focus();
  }, [isChosen]);
  return (
    <article className="method" aria-labelledby="method">
      <h2 id="method" ref={heading} tabIndex={-1}>
        {method.service}/{method.name}
      </h2>
      {method.summary && (
        <p>
          <WithCode text={method.summary} />
        </p>
      )}
      {method.text && method.text !== method.summary && (
        <p className="text-xs muted">
          <WithCode text={method.text} />
        </p>
      )}
      <p className="method-path">
        <code>POST {method.path}</code>
      </p>
      <Fields title="Request" fields={method.request} />
      <Fields title="Response" fields={method.response} />
      <TryIt method={method} user={user} />
    </article>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly Field[] }) {
  if (fields.length === 0)
    return (
      <section>
        <h3>{title}</h3>
        <p className="text-xs muted">No fields.</p>
      </section>
    );
  return (
    <section>
      <h3>{title}</h3>
      <dl className="fields">
        {fields.map((field) => (
          <div key={field.name}>
            <dt>
              <code>{field.name}</code> <span className="text-xs muted">{field.type}</span>
              {field.isRequired && <span className="needed">required</span>}
            </dt>
            <dd>
              <WithCode text={field.text} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
