import { Icon } from "../../ui/icon.tsx";
import type { Sidebar } from "./use-sidebar.ts";

/** The phone's button that opens and closes the navigation tree. Without a script the bar has a link in its place. */
export function DocsToggle({ sidebar: { isOpen, toggle, toggleRef } }: { sidebar: Sidebar }) {
  return (
    <button
      ref={toggleRef}
      className="doc-toggle js-only"
      type="button"
      aria-expanded={isOpen}
      aria-controls="sidebar"
      onClick={toggle}
    >
      <Icon name="panel-left" />
      <span>Documentation</span>
      <Icon name="chevron-down" className="doc-caret" />
    </button>
  );
}
