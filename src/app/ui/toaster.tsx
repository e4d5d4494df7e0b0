import { useEffect, useState, useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";
import { hideToast, readToast, watchToast } from "./toast.ts";

const SHOWN_MS = 6_000;

/** Once, in the frame. Its two regions are always there: what is put into a region is read out, a new region is not. */
export function Toaster() {
  const toast = useSyncExternalStore(watchToast, readToast);
  const [isHeld, setIsHeld] = useState(false);
  const isPassing = toast !== null && !toast.isFailure;
  useEffect(() => {
    if (!isPassing || isHeld) return;
    const timer = setTimeout(hideToast, SHOWN_MS);
    return () => clearTimeout(timer);
    // Another toast has its own time.
  }, [isPassing, isHeld, toast?.id]);
  useEffect(() => {
    // What goes away under the pointer says nothing of it.
    if (!toast) setIsHeld(false);
  }, [toast]);
  const shown = toast && (
    <div
      className="toast"
      key={toast.id}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={({ currentTarget }) => setIsHeld(currentTarget.matches(":focus-within"))}
      onFocus={() => setIsHeld(true)}
      onBlur={({ currentTarget }) => setIsHeld(currentTarget.matches(":hover"))}
      onKeyDown={({ key }) => key === "Escape" && hideToast()}
    >
      <Icon name={toast.isFailure ? "circleAlert" : "check"} />
      <span className="toast-t">{toast.text}</span>
      {toast.action && <ActionButton {...toast.action} />}
      <button className="ib sm" type="button" aria-label="Close the message" onClick={hideToast}>
        <Icon name="x" />
      </button>
    </div>
  );
  return (
    <>
      <div role="status">{isPassing && shown}</div>
      <div role="alert">{!isPassing && shown}</div>
    </>
  );
}

function ActionButton({ label, run }: { label: string; run: () => void }) {
  const act = () => {
    hideToast();
    run();
  };
  return (
    <button className="btn" type="button" onClick={act}>
      {label}
    </button>
  );
}
