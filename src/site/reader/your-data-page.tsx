import { useId } from "react";
import { siteConfig } from "#config";
import { ReadOffline } from "./read-offline.tsx";
import { YourChoice } from "./your-choice.tsx";
import { ReadPages } from "./read-pages.tsx";
import { YourCopy } from "./your-copy.tsx";
import { YourSetup } from "./your-setup.tsx";
import { YourSearches } from "./your-searches.tsx";

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
          <p>
            Before you answer, and after a no, pages and a search’s words are only counted by day, with
            nothing beside them (no address, no number of yours, no order, no time of day), without e-mail and
            network addresses, user names in addresses, tokens and numbers of more than four digits, and shown
            to the operator only once typed three times; an error report carries nothing of you.
          </p>
          <Kept name="Always, because the site needs it" rows={NECESSARY} />
          {analytics && <Kept name="With analytics" rows={WITH_ANALYTICS} />}
          {recording && <Kept name="With recording" rows={WITH_RECORDING} />}
          <p>
            No network address is stored, with or without your consent. On the server everything older than{" "}
            {retentionDays} days is deleted.
          </p>
          <h2>What is kept of this browser</h2>
          <YourCopy />
          <YourSearches />
          <ReadPages />
          <h2>Your setup</h2>
          <YourSetup />
          <h2 id="offline">Read offline</h2>
          <ReadOffline />
        </div>
      </div>
    </main>
  );
}

type Row = [what: string, where: string];

const NECESSARY: Row[] = [
  [
    "Your theme, setup, chosen tabs, folded sections, wrapped code, keyboard shortcuts and this choice",
    "In this browser",
  ],
  [
    "The sixty pages that you read last, each with the day and a mark of its text, to say what has changed since",
    "In this browser, until you erase it below",
  ],
  ["The last eight searches of which you opened a result, to offer them again", "In this browser only"],
  ["A copy of the documentation, if you ask for it below", "In this browser"],
  [
    "How often a day each page was shown, each other site led here, each browser was used: three lists that nothing joins",
    "On the server",
  ],
  ["How often a day each search was made, and how often it found nothing", "On the server"],
  ["An error of the page: what failed where in its code, the page, the browser’s name", "On the server"],
  ["An answer to “Was this page helpful?”, if you send one: as you wrote it, and when", "On the server"],
  [
    "If you sign in: your session, and that you have signed in in this browser before, so that nobody who floods the sign-in stands in your way",
    "In two cookies",
  ],
];

const WITH_ANALYTICS: Row[] = [
  ["A random number for this browser", "In this browser; a second one in a cookie, for six months"],
  [
    "Pages, searches, clicked results, copied code, buttons pressed, answers to questions, under that number",
    "On the server",
  ],
];

const WITH_RECORDING: Row[] = [
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
