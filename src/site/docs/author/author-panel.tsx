import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { Icon } from "../../ui/icon.tsx";
import { adoptStyles } from "../late/adopt-styles.ts";
import { fetchReport } from "./ask-server.ts";
import styles from "./author-panel.css?inline";
import { PageChecks } from "./page-checks.tsx";
import { PageQuestions } from "./page-questions.tsx";
import { PageRecords } from "./page-records.tsx";
import { TryWords } from "./try-words.tsx";
import { useAnswer } from "./use-answer.ts";

/** Key in the tab's storage: saving a file reloads the page, and the panel stays open. */
const OPEN_KEY = "author-panel";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const isKeptOpen = () => sessionStorage.getItem(OPEN_KEY) === "open";

/**
 * Information for an author who is writing a page: problems, places in search, records. Only under
 * `npm run dev`: `docs-layout.tsx` uses it behind a condition that is false in a build.
 */
export function AuthorPanel() {
  const path = useLocation().pathname.replace(/\/$/, "");
  const button = useRef<HTMLButtonElement>(null);
  // The server does not know whether it is open.
  const isOpen = useSyncExternalStore<boolean | undefined>(subscribe, isKeptOpen, () => undefined);
  const [hasOpened, setOpened] = useState(false);
  useEffect(() => adoptStyles(styles), []);

  if (isOpen === undefined) return null;
  const show = (isShown: boolean) => {
    sessionStorage.setItem(OPEN_KEY, isShown ? "open" : "closed");
    setOpened(isShown);
    for (const listener of listeners) listener();
    if (!isShown) button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="author-button btn btn-line btn-sm"
        aria-expanded={isOpen}
        onClick={() => show(!isOpen)}
      >
        Author’s panel
      </button>
      {isOpen && <Panel path={path} takesFocus={hasOpened} onClose={() => show(false)} />}
    </>
  );
}

interface PanelProps {
  path: string;
  /** False for a panel that was open before the page was reloaded. */
  takesFocus: boolean;
  onClose: () => void;
}

function Panel({ path, takesFocus, onClose }: PanelProps) {
  const { answer: report, failure } = useAnswer(path, fetchReport);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  useEffect(() => {
    const panel = heading.current?.closest("aside");
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !panel?.contains(document.activeElement)) return;
      // Esc would also end the search.
      event.preventDefault();
      onClose();
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  }, [onClose]);
  return (
    <aside className="author-panel" aria-labelledby="author-panel-title">
      <header>
        <h2 id="author-panel-title" tabIndex={-1} ref={heading}>
          Author’s panel
        </h2>
        <button type="button" className="icon-btn" aria-label="Close the author’s panel" onClick={onClose}>
          <Icon name="x" />
        </button>
        <p>
          <code>{report?.file ?? path}</code>
          {report?.isDraft && " is a draft"}
        </p>
      </header>
      <div className="author-parts" aria-busy={!report && !failure}>
        {failure && <p role="alert">{failure}</p>}
        {!report && !failure && <p>Searching for this page’s questions …</p>}
        {report && (
          <>
            <PageChecks problems={report.problems} elsewhere={report.elsewhere} />
            <PageQuestions questions={report.questions} problems={report.questionProblems} path={path} />
            <TryWords path={path} />
            <PageRecords records={report.records} count={report.recordCount} />
          </>
        )}
      </div>
    </aside>
  );
}
