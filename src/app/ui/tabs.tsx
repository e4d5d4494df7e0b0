import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { formatCount } from "../format.ts";

export interface Tab<Value extends string> {
  value: Value;
  label: string;
  count?: number;
}

interface Props<Value extends string> {
  /** "Details". */
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** The panel's class. */
  className?: string;
  /** The panel's content. */
  children: ReactNode;
}

const STEPS: { [key: string]: number | undefined } = { ArrowRight: 1, ArrowLeft: -1 };
/** Visible part of the neighbouring tab, so that readers know it is there. */
const BESIDE_PX = 24;

/** Tabs over one panel. Arrows go from tab to tab. */
export function Tabs<Value extends string>(props: Props<Value>) {
  const { label, tabs, value, onChange, className, children } = props;
  const id = useId();
  const shown = tabs.findIndex((tab) => tab.value === value);
  const list = useShownInSight(shown);
  const step = (event: KeyboardEvent) => {
    const distance = STEPS[event.key];
    if (distance === undefined) return;
    event.preventDefault();
    const to = (shown + distance + tabs.length) % tabs.length;
    const next = tabs[to];
    if (next) onChange(next.value);
    list.current?.querySelectorAll("button")[to]?.focus();
  };
  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label}>
        {tabs.map((tab, index) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-selected={index === shown}
            aria-controls={`${id}-panel`}
            tabIndex={index === shown ? 0 : -1}
            onKeyDown={step}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
            {tab.count !== undefined && <span className="number">{formatCount(tab.count)}</span>}
          </button>
        ))}
      </div>
      <div className={className} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
        {children}
      </div>
    </>
  );
}

/** On narrow screens the last tabs are out of sight. Not `scrollIntoView`, which would also move the page. */
function useShownInSight(shown: number): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.children[shown];
    if (!list.current || !tab) return;
    const [own, frame] = [tab.getBoundingClientRect(), list.current.getBoundingClientRect()];
    if (own.right > frame.right) list.current.scrollLeft += own.right - frame.right + BESIDE_PX;
    else if (own.left < frame.left) list.current.scrollLeft -= frame.left - own.left + BESIDE_PX;
  }, [shown]);
  return list;
}
