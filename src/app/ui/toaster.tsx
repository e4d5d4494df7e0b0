import { useEffect, useState, useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";
import { hideToast, readToast, type Toast, watchToast } from "./toast.ts";

const SHOWN_MS = 6_000;

/** Used once, in the frame. Its two regions always exist: a change in a region is announced, a new region is not. */
export function Toaster() {
  const toast = useSyncExternalStore(watchToast, readToast);
  const shown = toast && <Shown key={toast.id} {...toast} />;
  return (
    <>
      <output>{!toast?.isFailure && shown}</output>
      <div role="alert">{toast?.isFailure && shown}</div>
    </>
  );
}

/** The timer pauses while the message is pointed at or has the focus. */
function Shown({ text, isFailure, action, milliseconds = SHOWN_MS }: Toast) {
  const [isHeld, setIsHeld] = useState(false);
  const isPassing = !isFailure && !isHeld;
  useEffect(() => {
    if (!isPassing) return;
    const timer = setTimeout(hideToast, milliseconds);
    return () => clearTimeout(timer);
  }, [isPassing, milliseconds]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its buttons are what is pressed; here it is only held
    <span
      className="toast"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={({ currentTarget }) => setIsHeld(currentTarget.matches(":focus-within"))}
      onFocus={() => setIsHeld(true)}
      onBlur={({ currentTarget }) => setIsHeld(currentTarget.matches(":hover"))}
      onKeyDown={({ key }) => key === "Escape" && hideToast()}
    >
      <Icon name={isFailure ? "circleAlert" : "check"} />
      <span className="toast-text">{text}</span>
      {action && <ActionButton {...action} />}
      <button className="icon-button small" type="button" aria-label="Close the message" onClick={hideToast}>
        <Icon name="x" />
      </button>
    </span>
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
