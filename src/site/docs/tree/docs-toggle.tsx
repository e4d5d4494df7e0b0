import { Icon } from "../../ui/icon.tsx";
import type { Sidebar } from "./use-sidebar.ts";

/** The button for phones that opens and closes the tree. Without a script the bar has a link instead. */
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
