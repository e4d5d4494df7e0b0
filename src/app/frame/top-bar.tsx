import type { RefObject } from "react";
import { Link } from "react-router";
import { Icon } from "../ui/icon.tsx";
import { LiveMark } from "../ui/live-mark.tsx";
import { fetchCommandMenu } from "./command/load.ts";
import { openCommandMenu } from "./opened.ts";
import { usePageFacts } from "../page/page.tsx";

interface Props {
  toggle: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onToggle: () => void;
}

export function TopBar({ toggle, isOpen, onToggle }: Props) {
  const { crumbs } = usePageFacts();
  return (
    <header className="topbar">
      <button
        ref={toggle}
        className="icon-button narrow-only"
        type="button"
        aria-label="Navigation"
        aria-expanded={isOpen}
        aria-controls="navigation"
        onClick={onToggle}
      >
        <Icon name={isOpen ? "x" : "menu"} className="large" />
      </button>
      <nav className="crumbs" aria-label="Breadcrumb">
        <ol>
          {crumbs.map(({ label, to }, index) => (
            <li key={to ?? label} aria-current={index === crumbs.length - 1 ? "page" : undefined}>
              {to ? (
                <Link className="clip" to={to} title={label}>
                  <bdi>{label}</bdi>
                </Link>
              ) : (
                <span className="clip" title={label}>
                  <bdi>{label}</bdi>
                </span>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <span className="end row gap12">
        <LiveMark />
        <button
          className="icon-button narrow-only"
          type="button"
          aria-label="Search or run"
          onPointerEnter={fetchCommandMenu}
          onClick={openCommandMenu}
        >
          <Icon name="search" className="large" />
        </button>
      </span>
    </header>
  );
}
