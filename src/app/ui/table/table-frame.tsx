import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { plural } from "../../format.ts";
import { Icon } from "../icon.tsx";
import { useSteadyColumns } from "./use-steady-columns.ts";

interface FrameProps {
  ref?: Ref<HTMLDivElement>;
  name: string;
  /** Row count of a virtual table, including its head. */
  rowCount?: number | undefined;
  children: ReactNode;
  /** Below the table, inside its frame. */
  below?: ReactNode;
}

/** It scrolls sideways only when it must: otherwise the head stays at the window's top. */
export function TableFrame({ ref, name, rowCount, children, below }: FrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  useSteadyColumns(frame, table, rowCount !== undefined);
  const [isWide, setIsWide] = useState(false);
  useImperativeHandle<HTMLDivElement | null, HTMLDivElement | null>(ref, () => frame.current);
  useEffect(() => {
    const look = () => {
      const [outer, inner] = [frame.current?.clientWidth ?? 0, table.current?.offsetWidth ?? 0];
      setIsWide(inner > outer + 1);
    };
    const observer = new ResizeObserver(look);
    for (const element of [frame.current, table.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <section
      ref={frame}
      className="table-panel"
      aria-label={name}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys scroll it sideways
      tabIndex={isWide ? 0 : undefined}
    >
      <table ref={table} className="table" aria-label={name} aria-rowcount={rowCount}>
        {children}
      </table>
      {below}
    </section>
  );
}

interface NewRowsProps {
  count: number;
  unit: string;
  frame: RefObject<HTMLElement | null>;
  release: () => void;
}

/** "3 new tokens" above the table, without taking space in it. */
export function NewRows({ count, unit, frame, release }: NewRowsProps) {
  if (count === 0) return null;
  const show = () => {
    release();
    frame.current?.scrollIntoView({ block: "nearest" });
    scrollBy({ top: Math.min(0, (frame.current?.getBoundingClientRect().top ?? 0) - ROOM_ABOVE) });
  };
  return (
    <div className="table-new">
      <button className="btn" type="button" onClick={show}>
        <Icon name="arrowUp" />
        {plural(count, `new ${unit}`)}
      </button>
    </div>
  );
}

const ROOM_ABOVE = 120;
