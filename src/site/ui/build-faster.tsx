import { useSyncExternalStore, type Ref } from "react";
import { areShortcutsOn, setShortcuts, subscribeShortcuts } from "./build-faster-key.ts";
import { SiteLink } from "./site-link.tsx";

export interface Action {
  label: string;
  to: string;
  /** A single capital letter. */
  key: string;
}

interface BuildFasterProps {
  action: Action;
  isLarge?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

/** On the server and while hydrating the shortcuts count as on. */
function useShortcuts(): boolean {
  return useSyncExternalStore(subscribeShortcuts, areShortcutsOn, () => true);
}

/** The primary action. It shows its key while the key works; SiteHeader listens for the key. */
export function BuildFaster({ action, isLarge = false, ref }: BuildFasterProps) {
  const hasKey = useShortcuts();
  return (
    <SiteLink
      className={isLarge ? "btn btn-action btn-lg" : "btn btn-action"}
      to={action.to}
      aria-keyshortcuts={hasKey ? action.key : undefined}
      ref={ref}
    >
      <span>{action.label}</span>
      {hasKey && (
        <kbd className="btn-key" aria-hidden="true">
          {action.key}
        </kbd>
      )}
    </SiteLink>
  );
}

/** Switches the single-key shortcuts off and on; shown in the footers. */
export function ShortcutSwitch() {
  const isOn = useShortcuts();
  return (
    <button
      className="foot-switch js-only"
      type="button"
      role="switch"
      aria-checked={isOn}
      onClick={() => setShortcuts(!isOn)}
    >
      Keyboard shortcuts
      <span aria-hidden="true">{isOn ? "on" : "off"}</span>
    </button>
  );
}
