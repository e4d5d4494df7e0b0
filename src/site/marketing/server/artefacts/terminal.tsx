import type { ArtefactOf } from "../schema.ts";

/** Blue is what was there, brass is work, green is the result: the words say it too. */
function lineClass(line: string): string {
  if (line.startsWith("$ ")) return "tc";
  if (line.endsWith("CACHED")) return "tk";
  if (/^#\d+ (exporting|pushing|DONE)/.test(line)) return "tw";
  if (/succeeded$|^\S+:\S+$/.test(line)) return "ts";
  return "td";
}

export function Terminal({ title, label, text }: ArtefactOf<"terminal">) {
  return (
    <figure className="term">
      <figcaption className="term-bar">{title}</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must take the focus */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>
            {text
              .trimEnd()
              .split("\n")
              .map((line, index) => (
                <span key={index} className={lineClass(line)}>
                  {`${line}\n`}
                </span>
              ))}
          </code>
        </pre>
      </section>
    </figure>
  );
}
