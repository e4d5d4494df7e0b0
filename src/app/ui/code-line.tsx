import { CopyIconButton } from "./copy-icon-button.tsx";
import { splitCommand } from "./command-words.ts";

const CLASSES = { program: "code-function", option: "code-constant", text: "code-string" };

/** One command with a button that copies it; `$` is neither selected nor copied. */
export function CodeLine({ command }: { command: string }) {
  return (
    <div className="code one">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it sideways */}
      <pre tabIndex={0}>
        <code>
          <span className="code-prompt" aria-hidden="true">
            ${" "}
          </span>
          {splitCommand(command).map(({ text, kind }, index) =>
            kind ? (
              <span key={index} className={CLASSES[kind]}>
                {text}
              </span>
            ) : (
              text
            ),
          )}
        </code>
      </pre>
      <CopyIconButton text={command} label="Copy the command" />
    </div>
  );
}

interface BlockProps {
  /** A file's name, or its kind. */
  name: string;
  text: string;
}

/** Several lines below a name. */
export function CodeBlock({ name, text }: BlockProps) {
  return (
    <figure className="code">
      <figcaption className="code-header">
        <span className="clip">{name}</span>
        <CopyIconButton text={text} label={`Copy ${name}`} />
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it sideways */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
