import { Icon } from "../../../ui/icon.tsx";
import type { ArtefactOf } from "../artefact-schema.ts";

/** Blue is cached, brass is work, green is the result. The words also say so. */
function lineClass(line: string): string {
  if (line.startsWith(" => CACHED")) return "tk";
  if (line.startsWith(" => [internal]")) return "td";
  if (line.startsWith(" => ")) return "tw";
  if (line.startsWith("$ ")) return "tc";
  return line.startsWith("[+]") ? "td" : "ts";
}

/** A time is at the end of its line, after two spaces. */
function splitTime(line: string): [text: string, time: string] {
  const at = line.trimEnd().lastIndexOf("  ");
  const time = line.slice(at + 2);
  return at > 0 && /^\d+\.\ds$/.test(time) ? [line.slice(0, at).trimEnd(), time] : [line, ""];
}

export function Terminal({ title, icon, branch, label, text }: ArtefactOf<"terminal">) {
  return (
    <figure className="term">
      <figcaption className="term-bar">
        {title}
        <span>
          <Icon name={icon} />
          {branch}
        </span>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must take the focus */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>
            {text
              .trimEnd()
              .split("\n")
              .map((line, index) => (
                <TerminalLine key={index} line={line} />
              ))}
          </code>
        </pre>
      </section>
    </figure>
  );
}

function TerminalLine({ line }: { line: string }) {
  const [text, time] = splitTime(line);
  return (
    <span className={lineClass(line)}>
      {text.startsWith("$ ") ? (
        <span>
          <b>$</b>
          {text.slice(1)}
        </span>
      ) : (
        // A line without text keeps its height.
        <span>{text || " "}</span>
      )}
      {time && <span className="tt">{time}</span>}
      {"\n"}
    </span>
  );
}
