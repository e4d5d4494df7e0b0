import type { ReactNode } from "react";
import { CopyIconButton } from "./copy-icon-button.tsx";

interface Props {
  /** Of the token. */
  name: string;
  secret: string;
  /** What it may do, when it ends, its id. */
  children: ReactNode;
  onDone: () => void;
}

/** A new secret above its list, until "I have copied it". Leaving with it uncopied asks once. */
export function TokenOnce({ name, secret, children, onDone }: Props) {
  return (
    <section className="panel" aria-label="New secret">
      <div className="panel-h">
        <h2>{name} was created. Copy it now: this is the only time it is shown.</h2>
        <button className="btn end" type="button" onClick={onDone}>
          I have copied it
        </button>
      </div>
      <div className="panel-b">
        <div className="code one">
          <pre tabIndex={0}>
            <code>{secret}</code>
          </pre>
          <CopyIconButton text={secret} label="Copy the secret" />
        </div>
        <div className="row gap16 wrap">{children}</div>
      </div>
    </section>
  );
}
