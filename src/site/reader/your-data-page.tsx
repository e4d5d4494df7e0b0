import { useId } from "react";
import { siteConfig } from "#config";
import { YourChoice } from "./your-choice.tsx";
import { YourCopy } from "./your-copy.tsx";

const { retentionDays, analytics, recording } = siteConfig.telemetry;

/** What is kept of a reader, by what they agreed to. Readable without JavaScript; what it offers to do needs it. */
export function YourDataPage() {
  return (
    <main className="error-page" id="content">
      <div>
        <header className="doc-title">
          <h1>Your data</h1>
          <p className="lead">
            What this site keeps of its readers, and how to see it, download it, erase it or say no.
          </p>
        </header>
        <div className="prose">
          <h2>Your choice</h2>
          <YourChoice />
          <h2>What is kept</h2>
          <Kept name="Always, because the site needs it" rows={necessary} />
          {analytics && <Kept name="With analytics" rows={withAnalytics} />}
          {recording && <Kept name="With recording" rows={withRecording} />}
          <p>
            No network address is stored, with or without your consent. On the server everything older than{" "}
            {retentionDays} days is deleted.
          </p>
          <h2>What is kept of this browser</h2>
          <YourCopy />
        </div>
      </div>
    </main>
  );
}

type Row = [what: string, where: string];

const necessary: Row[] = [
  ["Your theme, folded sections, chosen tabs, keyboard shortcuts and this choice", "In this browser"],
  ["Pages shown and searches made, as counts; nothing tells readers apart", "On the server"],
  ["Errors of the page: the error, the page, the browser's family", "On the server"],
  ["An answer to “Was this page helpful?”, as you wrote it", "On the server"],
];

const withAnalytics: Row[] = [
  ["A random number for this browser", "In this browser; a second one in a cookie, for six months"],
  [
    "Pages, searches, clicked results, copied code, buttons pressed, answers to questions, under that number",
    "On the server",
  ],
];

const withRecording: Row[] = [
  ["A random number for this browser", "In this browser"],
  [
    "How a page looked and how you moved through it; what you typed is hidden before it leaves",
    "On the server",
  ],
];

function Kept({ name, rows }: { name: string; rows: Row[] }) {
  const id = useId();
  return (
    <>
      <h3 id={id}>{name}</h3>
      <div className="table-wrap">
        <table aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Where</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([what, where]) => (
              <tr key={what}>
                <td>{what}</td>
                <td>{where}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
