import type { Build, BuildWarning } from "#api/gen/json-types.ts";
import { cutText } from "../../format.ts";

const MOST_SHOWN = 100;

/** Findings of BuildKit's checks. */
export function BuildWarnings({ build: { warnings } }: { build: Build }) {
  if (warnings.length === 0) return <p className="text-xs muted">BuildKit reported no warnings.</p>;
  return (
    <ul className="build-warnings text-xs">
      {warnings.slice(0, MOST_SHOWN).map((warning, index) => (
        // The same finding may occur twice.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Warning warning={warning} />
        </li>
      ))}
    </ul>
  );
}

function Warning({ warning: { message, detail, url, file, line } }: { warning: BuildWarning }) {
  return (
    <>
      <b>
        <bdi>{cutText(message, 300)}</bdi>
      </b>
      {file && (
        <span className="mono subtle">
          {" "}
          {cutText(file, 200)}
          {line > 0 && `:${line}`}
        </span>
      )}
      {detail && (
        <p className="muted">
          <bdi>{cutText(detail, 500)}</bdi>
        </p>
      )}
      {/^https:\/\/[\w.-]+\//.test(url) && (
        <a className="link" href={url} rel="noreferrer" target="_blank">
          What it means
        </a>
      )}
    </>
  );
}
