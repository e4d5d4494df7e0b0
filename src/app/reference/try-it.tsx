import { type FormEvent, useId, useState } from "react";
import type { SignedInUser } from "../data/answers.ts";
import { Icon } from "../ui/icon.tsx";
import { ScrollFrame } from "../ui/scroll-frame.tsx";
import { type ApiAnswer, sendCall } from "./send-call.ts";
import type { Method } from "./openapi.ts";

interface Props {
  method: Method;
  user: SignedInUser;
}

/** A request to this server with the browser's own session. */
export function TryIt({ method, user }: Props) {
  const id = useId();
  const [body, setBody] = useState(() => JSON.stringify(method.example, null, 2));
  const [organization, setOrganization] = useState(user.organizations[0]?.id ?? "");
  const [answer, setAnswer] = useState<ApiAnswer | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const nameOf = (id: string) => user.organizations.find((each) => each.id === id)?.name ?? "";
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    setAnswer(await sendCall({ path: method.path, body, organization: nameOf(organization) }));
    setIsBusy(false);
  };
  return (
    <form className="section try-it" onSubmit={(event) => void send(event)}>
      <h3>Try it</h3>
      {user.organizations.length > 1 && (
        <div className="field">
          <label htmlFor={`${id}-organization`}>Organization (Millrace-Org)</label>
          <select
            id={`${id}-organization`}
            className="input small"
            value={organization}
            onChange={(event) => setOrganization(event.target.value)}
          >
            {user.organizations.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name} ({each.role})
              </option>
            ))}
          </select>
        </div>
      )}
      <div className="field">
        <label htmlFor={`${id}-body`}>Request body, JSON</label>
        <textarea
          id={`${id}-body`}
          className="input mono"
          value={body}
          rows={Math.min(16, body.split("\n").length + 1)}
          spellCheck={false}
          onChange={(event) => setBody(event.target.value)}
        />
      </div>
      <button className="btn action" type="submit" aria-busy={isBusy} aria-disabled={isBusy}>
        Send
      </button>
      <div aria-live="polite">{answer && <Answer answer={answer} />}</div>
    </form>
  );
}

function Answer({ answer }: { answer: ApiAnswer }) {
  if (answer.kind === "unsent")
    return (
      <div className="note bad">
        <Icon name="circleAlert" />
        <div>
          <b>The request was not sent.</b> {answer.reason}
        </div>
      </div>
    );
  return (
    <div className="answer">
      <p>
        <b className={answer.status < 400 ? "text-ok" : "text-fail"}>{answer.status}</b>{" "}
        <span className="text-xs muted">{answer.milliseconds} ms</span>
      </p>
      <details>
        <summary>Headers</summary>
        <ScrollFrame className="output" label="Response headers">
          <pre>{answer.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}</pre>
        </ScrollFrame>
      </details>
      <ScrollFrame className="output" label="Response body">
        <pre>{answer.body}</pre>
      </ScrollFrame>
    </div>
  );
}
