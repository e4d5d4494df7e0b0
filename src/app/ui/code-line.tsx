import { CopyIconButton } from "./copy-icon-button.tsx";

/** One command with a button that copies it; `$` is neither selected nor copied. */
export function CodeLine({ command }: { command: string }) {
  return (
    <div className="code one">
      <pre tabIndex={0}>
        <code>
          <span className="p" aria-hidden="true">
            ${" "}
          </span>
          {command}
        </code>
      </pre>
      <CopyIconButton text={command} />
    </div>
  );
}

interface BlockProps {
  /** A file's name, or what it is. */
  name: string;
  text: string;
}

/** Several lines under a name. */
export function CodeBlock({ name, text }: BlockProps) {
  return (
    <figure className="code">
      <figcaption className="code-h">
        {name}
        <CopyIconButton text={text} />
      </figcaption>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
