import { useState, useSyncExternalStore } from "react";
import { siteConfig } from "#config";
import { doesBrowserRefuse, storedChoice, type Choice } from "#telemetry/browser/choice.ts";
import { choiceOf, subscribeChoice } from "#telemetry/browser/stored-choice.ts";
import { loadReader } from "../telemetry.ts";
import { ChoiceSwitches } from "./choice-switches.tsx";

const { analytics, recording } = siteConfig.telemetry;
const NOTHING: Choice = { analytics: false, recording: false };
const never = () => () => {};

/** The three switches of `/your-data`; each takes effect immediately. */
export function YourChoice() {
  const stored = useSyncExternalStore(subscribeChoice, storedChoice, () => null);
  const isRefused = useSyncExternalStore(never, doesBrowserRefuse, () => false);
  const [hasFailed, setFailed] = useState(false);
  /** The reader's new choice that is not stored yet: the switch moves immediately. */
  const [pending, setPending] = useState<Choice | null>(null);
  if (!analytics && !recording)
    return <p>There is nothing to choose: this site has no analytics and no recordings.</p>;

  const choose = (choice: Choice) => {
    setFailed(false);
    setPending(choice);
    loadReader()
      .then((reader) => reader.choose(choice))
      .catch(() => setFailed(true))
      .finally(() => setPending(null));
  };
  return (
    <>
      <p>{sentenceFor(stored, isRefused)}</p>
      <p className="no-js-only">
        Without JavaScript this site does not ask, and stores only what is necessary. To change an earlier
        choice, turn on JavaScript or delete the data that your browser stores for this site.
      </p>
      <div className="your-choice js-only">
        <ChoiceSwitches
          choice={pending ?? ((!isRefused && choiceOf(stored)) || NOTHING)}
          onChange={choose}
          offered={{ analytics, recording }}
          isRefused={isRefused}
        />
      </div>
      {hasFailed && <p role="alert">Your choice could not be saved. Reload the page and try again.</p>}
    </>
  );
}

function sentenceFor(stored: string | null, isRefused: boolean): string {
  if (isRefused)
    return "Your browser asks sites not to follow you (Global Privacy Control or Do Not Track). That counts as no: only what is necessary is stored.";
  if (stored === null)
    return "You have not answered yet. No answer means no: only what is necessary is stored.";
  if (stored === "necessary") return "You chose to store only what is necessary.";
  return `You agreed to ${stored.replace(" ", " and ")}. You can withdraw at any time.`;
}
