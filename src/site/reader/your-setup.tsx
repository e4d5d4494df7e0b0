import { useState, useSyncExternalStore } from "react";
import { readerSetup, rememberSetup } from "../docs/late/setup/reader-setup.ts";
import { describeSetup } from "../docs/anywhere/setup/setup.ts";

/** The reader's choices of "My setup", and their chosen tabs, stored in this browser only. */
export function YourSetup() {
  const [isErased, setErased] = useState(false);
  // Only the browser knows the setup.
  const chosen = useSyncExternalStore(
    () => () => {},
    () => describeSetup(readerSetup()),
    () => "",
  );
  const erase = () => {
    rememberSetup(new Map());
    setErased(true);
  };
  return (
    <>
      <p className="no-js-only">
        Without JavaScript your setup is only in the address and is not remembered.
      </p>
      <div className="your-copy js-only">
        {chosen ? (
          <>
            <p>
              You chose <b>{chosen}</b>. Tabs, search results and copied Markdown follow it.
            </p>
            <p className="notice-actions">
              <button className="btn btn-line" type="button" onClick={erase}>
                Erase my setup
              </button>
            </p>
          </>
        ) : (
          <p>You have not chosen a setup.</p>
        )}
        <output>{isErased && "Erased."}</output>
      </div>
    </>
  );
}
