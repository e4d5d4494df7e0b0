import { useEffect, useState } from "react";
import { announce } from "#ui/announce.ts";
import { Icon } from "../ui/icon.tsx";
import { setupQuery } from "./reader-setup.ts";
import { useWords } from "./use-words.ts";
import { copyFetchedText, fetchMarkdown } from "./copy-markdown.ts";

const COPIED_MS = 1600;

interface PageActionsProps {
  /** Path of the page; its Markdown is at `<path>.md`. */
  path: string;
  editUrl?: string | undefined;
}

export function PageActions({ path, editUrl }: PageActionsProps) {
  const { t } = useWords();
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
            {t("Copy as Markdown")}
          </span>
          <span>
            <Icon name="check" />
            {t("Copied")}
          </span>
        </button>
        {/* The menu is created by its own code (late/page-menu), which sets the state. */}
        <button
          className="btn btn-line btn-sm split-more"
          type="button"
          aria-label={t("More page actions")}
          aria-haspopup="menu"
          data-late="menu"
        >
          <Icon name="chevron-down" />
        </button>
      </div>
      <a className="btn btn-line btn-sm no-js-only" href={markdownPath}>
        {t("View as Markdown")}
      </a>
      {editUrl && (
        <a className="btn btn-line btn-sm" href={editUrl}>
          <Icon name="pencil" />
          <span>{t("Edit")}</span>
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
    copyFetchedText(async () => fetchMarkdown(markdownPath + (await setupQuery()))).then(
      () => {
        setCopied(true);
        announce("Copied");
      },
      () => announce("Not copied: the clipboard or the page is unavailable."),
    );
  };
  return { isCopied, copy };
}
