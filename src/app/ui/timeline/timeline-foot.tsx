import type { Build } from "./build-model.ts";

interface Props {
  build: Build;
  otherName: string | undefined;
  isAllOpen: boolean;
  isCriticalOnly: boolean;
  toggleAll: () => void;
  toggleCritical: () => void;
}

/** What the colours mean, and what can be shown and hidden. */
export function TimelineFoot({
  build,
  otherName,
  isAllOpen,
  isCriticalOnly,
  toggleAll,
  toggleCritical,
}: Props) {
  const has = (state: string) => build.steps.some((step) => step.state === state);
  return (
    <div className="tl-foot">
      <span className="lg-keys">
        <Key look="" label="Cached" />
        <Key look="w" label="Worked" />
        {has("failed") && <Key look="x" label="Failed" />}
        {has("waiting") && <Key look="q" label="Waiting" />}
        {otherName !== undefined && <Key look="ghost" label={`Same step in ${otherName}`} />}
        <Key look="crit" label="Critical path" />
      </span>
      <span className="end row gap16 m-hide">
        <span>
          <kbd>J</kbd> <kbd>K</kbd> step
        </span>
        <button
          className="tl-key"
          type="button"
          aria-pressed={isCriticalOnly}
          aria-keyshortcuts="P"
          onClick={toggleCritical}
        >
          <kbd>P</kbd> critical path only
        </button>
        <button
          className="tl-key"
          type="button"
          aria-pressed={isAllOpen}
          aria-keyshortcuts="E"
          onClick={toggleAll}
        >
          <kbd>E</kbd> open all
        </button>
      </span>
    </div>
  );
}

function Key({ look, label }: { look: string; label: string }) {
  return (
    <span>
      <i className={`key ${look}`.trim()} />
      <bdi>{label}</bdi>
    </span>
  );
}
