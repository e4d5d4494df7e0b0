import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { extendRange, formatLineRange, type LineRange, parseLineRange } from "./line-range.ts";

interface Input {
  count: number;
  goTo: (number: number) => void;
}

/** The lines that the address names: scrolled to once, as soon as they exist. */
export function useLinkedLines({ count, goTo }: Input) {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const range = parseLineRange(hash);
  // After clicking a number, the reader already sees the line.
  const done = useRef("");
  const isThere = range !== null && range.from <= count;
  const show = useEffectEvent((address: string) => {
    if (!range || done.current === address) return;
    done.current = address;
    goTo(range.from);
  });
  useEffect(() => {
    if (isThere) show(hash);
  }, [isThere, hash]);
  const pick = (number: number, extends_: boolean) => {
    const next: LineRange = extends_ ? extendRange(range, number) : { from: number, to: number };
    done.current = formatLineRange(next);
    void navigate({ search, hash: done.current }, { replace: true, preventScrollReset: true });
  };
  return { range, pick };
}
