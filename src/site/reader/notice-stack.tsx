import { useEffect, useRef, useSyncExternalStore, type FocusEvent } from "react";
import { createRoot } from "react-dom/client";
import { Icon } from "../ui/icon.tsx";
import { currentNotices, hideNotice, subscribeNotices, type Notice } from "./notice-store.ts";

let place: Element | null = null;

/**
 * Shows the notices in a separate React root, in an element that the page's React does not touch: the page may still be
 * hydrating. Error pages have no such element.
 */
export function mountNotices(): void {
  const region = document.querySelector(".ask");
  if (!region || region === place) return;
  place = region;
  const element = document.createElement("div");
  region.append(element);
  createRoot(element).render(<NoticeStack />);
}

function NoticeStack() {
  const notices = useSyncExternalStore(subscribeNotices, currentNotices);
  const onFocus = useReturningFocus();
  return (
    <div className="notice-stack" onFocus={onFocus}>
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

/** When a focused notice closes, the focus returns to where it came from. */
function useReturningFocus() {
  const cameFrom = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) cameFrom.current?.focus({ preventScroll: true });
  });
  return ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      cameFrom.current = relatedTarget;
  };
}

function NoticeCard({ notice: { id, title, text, body, onDismiss } }: { notice: Notice }) {
  const dismiss = () => {
    hideNotice(id);
    onDismiss?.();
  };
  return (
    <article className="notice" id={`notice-${id}`} aria-label={title} tabIndex={-1}>
      <div>
        <h2>{title}</h2>
        {text && <p>{text}</p>}
      </div>
      {onDismiss && (
        <button className="icon-btn" type="button" aria-label="Close" onClick={dismiss}>
          <Icon name="x" />
        </button>
      )}
      {body}
    </article>
  );
}
