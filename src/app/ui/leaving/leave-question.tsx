import { type ReactNode, use, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { UNSAFE_NavigationContext as NavigationContext } from "react-router";
import { Dialog } from "../dialog.tsx";
import {
  askedToLeave,
  guardNavigator,
  holdHere,
  type LeaveWords,
  noteShown,
  readLeaving,
  stay,
  watchLeaving,
} from "./leaving.ts";

/** While `when` holds, leaving this page asks once: links, keys, back and forward, and the tab itself. */
export function useLeaveQuestion(when: boolean, { title, text, stay: safe, leave }: LeaveWords): void {
  useEffect(
    () => (when ? holdHere({ title, text, stay: safe, leave }) : undefined),
    [when, title, text, safe, leave],
  );
}

/** Wraps everything that navigates. */
export function LeaveGuard({ children }: { children: ReactNode }) {
  const context = use(NavigationContext);
  const guarded = useMemo(() => ({ ...context, navigator: guardNavigator(context.navigator) }), [context]);
  useEffect(noteShown, []);
  return <NavigationContext value={guarded}>{children}</NavigationContext>;
}

/** The question, when there is one to ask. */
export function LeaveQuestion() {
  const leaving = useSyncExternalStore(watchLeaving, readLeaving);
  if (!leaving) return null;
  return <Question key={leaving.id} words={leaving.words} />;
}

function Question({ words }: { words: LeaveWords }) {
  const safe = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      title={words.title}
      onClose={stay}
      isAlert
      initialFocus={safe}
      footer={
        <>
          <button ref={safe} className="btn" type="button" onClick={stay}>
            {words.stay}
          </button>
          <button className="btn danger action" type="button" onClick={askedToLeave}>
            {words.leave}
          </button>
        </>
      }
    >
      <p>{words.text}</p>
    </Dialog>
  );
}
