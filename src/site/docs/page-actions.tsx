import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { announce } from "#ui/announce.ts";
import { Icon } from "../ui/icon.tsx";
import { copyFetchedText, fetchMarkdown } from "./copy-markdown.ts";

const COPIED_MS = 1600;

interface PageActionsProps {
  /** Path of the page; its Markdown is at `<path>.md`. */
  path: string;
  /** Absolute address of the page, for agents. */
  url: string;
  editUrl?: string | undefined;
}

export function PageActions({ path, url, editUrl }: PageActionsProps) {
  const markdownPath = `${path}.md`;
  const { isCopied, copy } = useCopyMarkdown(markdownPath);
  return (
    <div className="page-actions">
      <div className="split js-only">
        <button
          className={isCopied ? "btn btn-line btn-sm swap is-done" : "btn btn-line btn-sm swap"}
          type="button"
          onClick={copy}
        >
          <span>
            <Icon name="copy" />
            Copy as Markdown
          </span>
          <span>
            <Icon name="check" />
            Copied
          </span>
        </button>
        <MoreActions markdownPath={markdownPath} url={url} onCopy={copy} />
      </div>
      <a className="btn btn-line btn-sm no-js-only" href={markdownPath}>
        View as Markdown
      </a>
      {editUrl && (
        <a className="btn btn-line btn-sm" href={editUrl}>
          <Icon name="pencil" />
          <span>Edit</span>
        </a>
      )}
    </div>
  );
}

function useCopyMarkdown(markdownPath: string) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = () => {
    copyFetchedText(() => fetchMarkdown(markdownPath)).then(
      () => {
        setCopied(true);
        announce("Copied");
      },
      () => announce("Not copied. The clipboard or the page could not be reached."),
    );
  };
  return { isCopied, copy };
}

interface MoreActionsProps {
  markdownPath: string;
  url: string;
  onCopy: () => void;
}

function MoreActions({ markdownPath, url, onCopy }: MoreActionsProps) {
  const [isOpen, setOpen] = useState(false);
  const rootRef = useRef<HTMLDivElement>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const prompt = encodeURIComponent(`Read ${url}.md and help me with it.`);

  useEffect(() => {
    if (!isOpen) return;
    itemsOf(rootRef.current)[0]?.focus();
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !rootRef.current?.contains(event.target)) setOpen(false);
    };
    addEventListener("pointerdown", onPointerDown);
    return () => removeEventListener("pointerdown", onPointerDown);
  }, [isOpen]);

  function close() {
    setOpen(false);
    buttonRef.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!isOpen) return;
    if (event.key === "Escape") close();
    else if (event.key === "Tab") return setOpen(false);
    else if (!moveFocus(itemsOf(rootRef.current), event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div ref={rootRef} onKeyDown={onKeyDown} role="none">
      <button
        className="btn btn-line btn-sm split-more"
        type="button"
        aria-label="More page actions"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        ref={buttonRef}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chevron-down" />
      </button>
      {isOpen && (
        <div className="menu" role="menu" aria-label="More page actions">
          <button role="menuitem" type="button" tabIndex={-1} onClick={() => (onCopy(), close())}>
            <Icon name="copy" />
            <span>Copy as Markdown</span>
          </button>
          <MenuLink icon="file-text" label="View as Markdown" to={markdownPath} onClick={close} />
          <MenuLink
            icon="claude"
            brand
            label="Open in Claude"
            to={`https://claude.ai/new?q=${prompt}`}
            onClick={close}
          />
          <MenuLink
            icon="cursor"
            brand
            label="Open in Cursor"
            to={`https://cursor.com/link/prompt?text=${prompt}`}
            onClick={close}
          />
        </div>
      )}
    </div>
  );
}

interface MenuLinkProps {
  icon: string;
  brand?: boolean;
  label: string;
  to: string;
  onClick: () => void;
}

function MenuLink({ icon, brand = false, label, to, onClick }: MenuLinkProps) {
  return (
    <a role="menuitem" tabIndex={-1} href={to} onClick={onClick}>
      <Icon name={icon} brand={brand} />
      <span>{label}</span>
    </a>
  );
}

function itemsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
}

/** Menu keys: arrows wrap, Home and End go to the ends. @returns whether the key was one of them. */
function moveFocus(items: HTMLElement[], key: string): boolean {
  const current = items.findIndex((item) => item === document.activeElement);
  const targets: { [key: string]: number } = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    Home: 0,
    End: -1,
  };
  const target = targets[key];
  if (target === undefined) return false;
  items.at(target % items.length)?.focus();
  return true;
}
