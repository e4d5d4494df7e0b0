import { useEffect, useState, useSyncExternalStore } from "react";
import { storedChoice } from "#telemetry/browser/choice.ts";
import { readerIds } from "#telemetry/browser/forget.ts";
import { subscribeChoice } from "#telemetry/browser/stored-choice.ts";
import { loadReader } from "../telemetry.ts";
import { eraseData, exportData } from "./reader-data.ts";

type State = { status: "idle" | "working" } | { status: "done" | "failed"; text: string };

/** The identifiers in this browser, and actions on the data that the server stores under them. */
export function YourCopy() {
  const ids = useReaderIds();
  const [state, setState] = useState<State>({ status: "idle" });
  const act = (work: () => Promise<string>) => {
    setState({ status: "working" });
    work().then(
      (text) => setState({ status: "done", text }),
      (error: unknown) =>
        setState({ status: "failed", text: error instanceof Error ? error.message : String(error) }),
    );
  };
  return (
    <>
      <p className="no-js-only">
        Without JavaScript this page cannot read the numbers under which data may be stored.
      </p>
      <div className="your-copy js-only">
        {ids.length === 0 ? (
          <p>This browser has no number, so nothing on the server can be linked to you.</p>
        ) : (
          <>
            <p>The server stores what you agreed to under:</p>
            <ul>
              {ids.map((id) => (
                <li key={id}>
                  <code>{id}</code>
                </li>
              ))}
            </ul>
            <p className="notice-actions">
              <ActButton
                label="Download"
                isBusy={state.status === "working"}
                onPress={() => act(() => exportData(ids))}
              />
              <ActButton
                label="Erase and stop collecting"
                isBusy={state.status === "working"}
                onPress={() => act(() => eraseData(ids))}
              />
            </p>
          </>
        )}
        <output>{"text" in state && state.text}</output>
      </div>
    </>
  );
}

function ActButton({ label, isBusy, onPress }: { label: string; isBusy: boolean; onPress: () => void }) {
  return (
    <button className="btn btn-line" type="button" aria-disabled={isBusy} onClick={() => isBusy || onPress()}>
      {label}
    </button>
  );
}

/** Read again after each change of the choice, once it is applied. */
function useReaderIds(): string[] {
  const stored = useSyncExternalStore(subscribeChoice, storedChoice, () => null);
  const [ids, setIds] = useState<string[]>([]);
  useEffect(() => {
    let isShown = true;
    const read = () => isShown && setIds(readerIds());
    read();
    // Identifiers exist only after an answer; without an answer there is nothing to wait for.
    if (stored !== null)
      loadReader()
        .then((reader) => reader.settled())
        .then(read, () => {});
    return () => {
      isShown = false;
    };
  }, [stored]);
  return ids;
}
