import { useSyncExternalStore } from "react";
import { areVisitsOff, setVisits, storedVisits, visitedPages } from "../docs/late/changes/visits.ts";

/** Changes come from another tab, or from the button below. */
function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}

function choose(isOn: boolean): void {
  setVisits(isOn);
  // Browsers send this event to other tabs only.
  dispatchEvent(new StorageEvent("storage"));
}

/** The pages that this browser remembers as read, and a button to forget them. They never leave the browser. */
export function ReadPages() {
  // The server does not know any visits.
  const stored = useSyncExternalStore(subscribe, storedVisits, () => undefined);
  if (stored === undefined) return null;
  const [isOff, pages] = [areVisitsOff(), visitedPages()];
  return (
    <>
      <p>
        {isOff
          ? "This browser does not remember the pages that you read, so pages cannot say what has changed since your last visit."
          : `To say what has changed since your last visit, this browser remembers the pages that you read: ${pages.length} at the moment. The list never leaves the browser.`}
      </p>
      {pages.length > 0 && (
        <details>
          <summary>Pages you have read</summary>
          <ul>
            {pages.map((path) => (
              <li key={path}>
                <a href={path}>{path}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
      <p className="notice-actions">
        {isOff ? (
          <button className="btn btn-line" type="button" onClick={() => choose(true)}>
            Remember the pages I read
          </button>
        ) : (
          <button className="btn btn-line" type="button" onClick={() => choose(false)}>
            Forget them and stop remembering
          </button>
        )}
      </p>
    </>
  );
}
