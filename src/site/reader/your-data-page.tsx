import { useId } from "react";
import { siteConfig } from "#config";
import { ReadOffline } from "./read-offline.tsx";
import { YourChoice } from "./your-choice.tsx";
import { ReadPages } from "./read-pages.tsx";
import { YourCopy } from "./your-copy.tsx";
import { YourSetup } from "./your-setup.tsx";
import { YourSearches } from "./your-searches.tsx";

const { retentionDays, analytics, recording } = siteConfig.telemetry;

/** The stored data of a reader, by their choices. Readable without JavaScript; its actions need JavaScript. */
export function YourDataPage() {
  return (
    <main className="error-page" id="content">
      <div>
        <header className="doc-title">
          <h1>Your data</h1>
          <p className="lead">
            What this site stores about its readers, and how to see it, download it, erase it or say no.
          </p>
        </header>
        <div className="prose">
          <h2>Your choice</h2>
          <YourChoice />
          <h2>What is stored</h2>
          <p>
            Before you answer, and after a no, pages and search words are only counted by day, without any
            other data: no address, no number of yours, no order and no time of day. E-mail and network
            addresses, user names in addresses, tokens and numbers of more than four digits are removed. The
            operator sees search words only once they were typed three times. An error report contains nothing
            about you.
          </p>
          <Kept name="Always, because the site needs it" rows={NECESSARY} />
          {analytics && <Kept name="With analytics" rows={WITH_ANALYTICS} />}
          {recording && <Kept name="With recording" rows={WITH_RECORDING} />}
          <p>
            No network address is stored, with or without your consent. On the server everything older than{" "}
            {retentionDays} days is deleted.
          </p>
          <h2>Data of this browser</h2>
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
    "The last sixty pages that you read, each with the day and a fingerprint of its text, to say what has changed since",
    "In this browser, until you erase it below",
  ],
  ["The last eight searches in which you opened a result, to offer them again", "In this browser only"],
  ["A copy of the documentation, if you ask for it below", "In this browser"],
  [
    "If you are signed in and choose an organization or project for the samples, or the printed samples: that choice",
    "In this browser only",
  ],
  [
    "How often per day each page was shown, each other site led here and each browser was used: three unconnected lists",
    "On the server",
  ],
  ["How often per day each search was made, and how often it found nothing", "On the server"],
  [
    "A question that you ask a model, if the operator has named one: by default there is none",
    "Not on the server. It goes to the model’s host, which the search names before you ask",
  ],
  ["An error on a page: what failed and where in its code, the page, the browser’s name", "On the server"],
  ["An answer to “Was this page helpful?”, if you send one: as you wrote it, and when", "On the server"],
  [
    "If you sign in: your session, and that you have signed in with this browser before, so that a flood of sign-in requests cannot keep you out",
    "In two cookies",
  ],
  [
    "If you sign in: that someone is signed in, so that the documentation’s samples can have your own names",
    "In a cookie for the documentation, until you sign out",
  ],
];

const WITH_ANALYTICS: Row[] = [
  ["A random number for this browser", "In this browser; a second number in a cookie, for six months"],
  [
    "Pages, searches, clicked results, copied code, buttons pressed, answers to questions, under that number",
    "On the server",
  ],
];

const WITH_RECORDING: Row[] = [
  ["A random number for this browser", "In this browser"],
  [
    "How a page looked and how you moved through it; what you typed is hidden before it leaves the browser",
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
