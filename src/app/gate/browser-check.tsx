interface Props {
  /** Null: no check is running. */
  progress: number | null;
}

/** Shown while the browser does the work that the server requires of strangers under load. Announced once, at its start. */
export function BrowserCheck({ progress }: Props) {
  if (progress === null) return null;
  return (
    <div className="browser-check">
      <span className="waiting">Checking your browser…</span>
      <span className="work-bar" aria-hidden="true">
        <span style={{ transform: `scaleX(${progress})` }} />
      </span>
      <p className="fine">
        Many links are being requested right now, so your browser is proving that it is not part of a flood.
        This takes a few seconds. You do not need to do anything.
      </p>
    </div>
  );
}
