import { dayOf } from "#offline/index.ts";
import { type OfflineCopy, type OfflineState, useOfflineCopy } from "./use-offline-copy.ts";

const MEGABYTE = 1_000_000;

/** Switches the offline copy of the documentation on and off; see `src/offline`. */
export function ReadOffline() {
  const copy = useOfflineCopy();
  return (
    <>
      <p>
        A copy of the documentation in this browser, with its search: read it on a train, in a plane, behind a
        firewall. Nothing is stored unless you ask for it here.
      </p>
      <p className="no-js-only">Reading offline needs JavaScript.</p>
      <div className="your-copy js-only">
        {describe(copy.state)}
        <Actions copy={copy} />
        <output>{copy.said}</output>
      </div>
    </>
  );
}

function Actions({ copy: { state, offer, decline, keep, remove } }: { copy: OfflineCopy }) {
  if (state.name === "off")
    return (
      <p className="notice-actions">
        <Button label="Keep a copy…" onPress={offer} />
      </p>
    );
  if (state.name === "offered")
    return (
      <p className="notice-actions">
        <Button label={`Download ${sizeOf(state.info.bytes)}`} onPress={keep} />
        <Button label="Not now" onPress={decline} />
      </p>
    );
  if (state.name !== "on" && state.name !== "unreadable") return null;
  return (
    <p className="notice-actions">
      {state.name === "on" && <Button label="Check for a newer copy" onPress={keep} />}
      <Button label="Remove the copy" onPress={remove} />
    </p>
  );
}

function describe(state: OfflineState) {
  if (state.name === "impossible" || state.name === "unreadable") return <p>{state.why}</p>;
  if (state.name === "off") return <p>There is no copy in this browser.</p>;
  if (state.name === "asking") return <p>Checking its size …</p>;
  if (state.name === "offered") {
    const { pages, bytes, unpackedBytes } = state.info;
    return (
      <p>
        {pages} pages and their search: {sizeOf(bytes)} to download, {sizeOf(unpackedBytes)} in this browser.
        Newer copies are downloaded automatically when you read online.
      </p>
    );
  }
  if (state.name === "removing") return <p>Removing …</p>;
  if (state.name === "loading")
    return (
      <p>
        <label htmlFor="offline-progress">Downloading</label>{" "}
        <progress id="offline-progress" value={state.share} style={{ accentColor: "var(--color-action)" }} />
      </p>
    );
  if (state.name === "on") {
    const { info, checkedAt, problem } = state.stored;
    return (
      <>
        <p>
          On: {info.pages} pages of {dayOf(info.made)}, with their search, {sizeOf(info.unpackedBytes)}.
          Compared with the server on {timeOf(checkedAt)}.
        </p>
        {problem && <p>The last update failed. {problem}</p>}
      </>
    );
  }
  return null;
}

function Button({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <button className="btn btn-line" type="button" onClick={onPress}>
      {label}
    </button>
  );
}

const sizeOf = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;

const timeOf = (milliseconds: number) =>
  new Date(milliseconds).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short" });
