interface Props {
  /** Null: nothing is checked. */
  progress: number | null;
}

/** While the browser does what the server asks of strangers in a crowd. It is announced once, when it begins. */
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
