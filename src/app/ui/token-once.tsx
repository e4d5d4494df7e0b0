import { type ReactNode, useId, useRef, useState } from "react";
import { useLeaveQuestion } from "./leaving/leave-question.tsx";
import { CopyIconButton } from "./copy-icon-button.tsx";
import { Status } from "./status.tsx";

interface Props {
  /** The token's name. */
  name: string;
  /** Keep it only in the screen's state: no address, no query's data, no store. */
  secret: string;
  /** The token's rights, its end, its id. */
  children: ReactNode;
  onDone: () => void;
}

/** A new secret above its list, until "I have copied it". Leaving without copying it asks once. */
export function TokenOnce({ name, secret, children, onDone }: Props) {
  const [isCopied, setIsCopied] = useState(false);
  const text = useRef<HTMLPreElement>(null);
  const id = useId();
  useLeaveQuestion(!isCopied, {
    title: "Leave without the secret?",
    text: "You have not copied it, and it cannot be shown again. You would have to create a new token.",
    stay: "Stay here",
    leave: "Leave without it",
  });
  const select = () => {
    if (text.current) getSelection()?.selectAllChildren(text.current);
  };
  const [prefix, body, checksum] = splitSecret(secret);
  return (
    <section className="panel once" aria-labelledby={id}>
      <div className="panel-header">
        <Status state="succeeded" word="" />
        <h2 id={id}>
          <bdi>{name}</bdi> was created. Copy it now: this is the only time it is shown.
        </h2>
        <button className="btn end" type="button" onClick={onDone}>
          I have copied it
        </button>
      </div>
      <div className="panel-body section">
        <div className="code one">
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it sideways */}
          <pre ref={text} tabIndex={0} aria-label="Secret" onCopy={() => setIsCopied(true)}>
            <code>
              {prefix}
              <span className="code-string">{body}</span>
              {checksum}
            </code>
          </pre>
          <CopyIconButton
            text={secret}
            label="Copy the secret"
            onCopied={() => setIsCopied(true)}
            onRefused={select}
          >
            {isCopied ? "Copied" : "Copy"}
          </CopyIconButton>
        </div>
        <div className="row wrap text-xs muted once-facts">{children}</div>
      </div>
    </section>
  );
}

/** `mr_prj_`, the secret part, `_c4vd`. */
function splitSecret(secret: string): [string, string, string] {
  const [, prefix = "", body = secret, checksum = ""] = /^([a-z]+_[a-z]+_)(.*?)(_[^_]*)?$/.exec(secret) ?? [];
  return [prefix, body, checksum];
}
