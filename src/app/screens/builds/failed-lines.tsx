import type { Build } from "#api/gen/json-types.ts";
import { cutText } from "../../format.ts";

/** The failed instruction, with the lines around it. */
export function FailedLines({ build: { source } }: { build: Build }) {
  if (!source || source.lines.length === 0) return null;
  const { file, first_line: first, lines, failed_from: from, failed_to: to } = source;
  const place = from === to ? String(from) : `${from}-${to}`;
  const name = `${cutText(file, 200)}:${place}`;
  return (
    <figure className="failed-lines" aria-label={name}>
      <figcaption className="mono text-xs">
        <bdi>{name}</bdi>
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it sideways */}
      <pre tabIndex={0}>
        <code>
          {lines.map((line, index) => {
            const number = first + index;
            const isFailed = number >= from && number <= to;
            return (
              <span key={number} className={isFailed ? "failed-line is-fail" : "failed-line"}>
                <span className="gutter">
                  {isFailed && <span aria-hidden="true">{"> "}</span>}
                  {number}
                </span>
                {line}
                {"\n"}
              </span>
            );
          })}
        </code>
      </pre>
    </figure>
  );
}
