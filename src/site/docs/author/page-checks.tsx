import type { ContentProblem } from "#docs/content/types.ts";
import { announce } from "#ui/announce.ts";

interface PageChecksProps {
  problems: readonly ContentProblem[];
  elsewhere: number;
}

/** The page's problems, as reported by the checks. */
export function PageChecks({ problems, elsewhere }: PageChecksProps) {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return (
    <section aria-labelledby="author-checks">
      <h3 id="author-checks">
        Checks <Count isGood={errors === 0}>{countOf(problems.length, "problem")}</Count>
      </h3>
      {problems.length === 0 && <p>Every check of this page passes.</p>}
      <Problems problems={problems} />
      {elsewhere > 0 && <p>{countOf(elsewhere, "problem")} in other files: see the server’s terminal.</p>}
    </section>
  );
}

export function Problems({ problems }: { problems: readonly ContentProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul>
      {problems.map(({ file, line, rule, severity, message, fix }) => (
        <li key={`${file}:${line} ${rule} ${message}`} data-severity={severity}>
          <p>
            <b>{severity === "error" ? "Error" : "Warning"}</b> {message}
          </p>
          {fix && <pre>{fix}</pre>}
          <p>
            <Place place={`${file}:${line}`} /> {rule}
          </p>
        </li>
      ))}
    </ul>
  );
}

/** A position in a file, in the form that editors accept; a click copies it. */
export function Place({ place }: { place: string }) {
  const copy = () =>
    navigator.clipboard.writeText(place).then(
      () => announce(`Copied ${place}`),
      () => announce("The browser does not allow copying"),
    );
  return (
    <button type="button" className="author-place" title="Copy" onClick={copy}>
      {place}
    </button>
  );
}

export function Count({ isGood, children }: { isGood: boolean; children: string }) {
  return <span className={`author-count ${isGood ? "is-good" : "is-bad"}`}>{children}</span>;
}

export const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
