import { useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";
import { currentNotices, hideNotice, subscribeNotices, type Notice } from "./notice-store.ts";

const none: readonly Notice[] = [];

/** The last element of a page: the polite live region, and the stack of notices. */
export function Notices() {
  const notices = useSyncExternalStore(subscribeNotices, currentNotices, () => none);
  return (
    <section className="notices" aria-label="Notices">
      {/* Its text is written past React: see announce.ts. */}
      <output
        id="announcer"
        className="vh"
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: "" }}
      />
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

function NoticeCard({ notice: { id, title, text, actions, onDismiss } }: { notice: Notice }) {
  const dismiss = () => {
    hideNotice(id);
    onDismiss?.();
  };
  return (
    <article className="notice" aria-label={title}>
      <div>
        <h2>{title}</h2>
        {text && <p>{text}</p>}
      </div>
      {onDismiss && (
        <button className="icon-btn" type="button" aria-label="Close" onClick={dismiss}>
          <Icon name="x" />
        </button>
      )}
      {actions && (
        <div className="notice-actions">
          {actions.map((action) => (
            <button
              key={action.label}
              className="btn btn-line btn-sm"
              type="button"
              onClick={action.onSelect}
            >
              {action.label}
            </button>
          ))}
        </div>
      )}
    </article>
  );
}
