/**
 * Work against time or size: blue was there already, brass was done or is being done, a hairline waits. Hidden from
 * assistive technology, because a figure is always next to it.
 */
import type { CSSProperties } from "react";

export type ChannelPart = "cached" | "worked" | "running" | "failed" | "waiting" | "plain" | "empty";

const CLASS: Record<ChannelPart, string> = {
  cached: "",
  worked: "worked",
  running: "running",
  failed: "failed",
  waiting: "queued",
  plain: "plain",
  empty: "unfilled",
};

/** More cells would be narrower than a pixel: neighbours are joined. */
const MAX_CELLS = 40;

interface StepsProps {
  /** One for each step, in order. */
  steps: readonly ChannelPart[];
}

/** One cell per step, always equally wide, so that equal builds look equal. */
export function StepsChannel({ steps }: StepsProps) {
  return <Cells className="channel steps" cells={joinCells(steps)} />;
}

interface ShareProps {
  /** Sizes or counts, in any unit; parts that are not above zero are left out. */
  parts: readonly { part: ChannelPart; size: number }[];
  isThin?: boolean;
}

/** Hits and misses, shared and new. */
export function ShareChannel({ parts, isThin }: ShareProps) {
  const cells = parts.filter(({ size }) => size > 0 && Number.isFinite(size));
  const sum = cells.reduce((total, { size }) => total + size, 0);
  const shown: Cell[] = cells.map(({ part, size }) => ({ part, size: (size / sum) * 100 }));
  return (
    <Cells
      className={`channel${isThin ? " thin" : ""}`}
      cells={shown.length > 0 ? shown : [{ part: "empty", size: 1 }]}
    />
  );
}

interface FillProps {
  used: number;
  /** In the same unit; zero or less: no limit is known, and the channel is empty. */
  limit: number;
  part?: ChannelPart;
  isThin?: boolean;
}

/** The used part of a limit. */
export function FillChannel({ used, limit, part = "worked", isThin }: FillProps) {
  const share = limit > 0 ? Math.min(Math.max(used / limit, 0), 1) : 0;
  const cells: Cell[] = [
    { part, size: share * 100 },
    { part: "empty", size: (1 - share) * 100 },
  ];
  return (
    <Cells className={`channel flat${isThin ? " thin" : ""}`} cells={cells.filter(({ size }) => size > 0)} />
  );
}

interface Cell {
  part: ChannelPart;
  size: number;
}

function Cells({ className, cells }: { className: string; cells: readonly Cell[] }) {
  return (
    <span className={className} aria-hidden="true">
      {cells.map(({ part, size }, index) => (
        // Cells have no identity except their position.
        // oxlint-disable-next-line react/no-array-index-key
        <i key={index} className={CLASS[part]} style={{ "--n": round(size) } as CSSProperties} />
      ))}
    </span>
  );
}

/** Joins neighbouring steps into wider cells when there are too many; a failed step always stays visible. */
function joinCells(steps: readonly ChannelPart[]): Cell[] {
  if (steps.length === 0) return [{ part: "waiting", size: 1 }];
  if (steps.length <= MAX_CELLS) return steps.map((part) => ({ part, size: 1 }));
  const perCell = Math.ceil(steps.length / MAX_CELLS);
  const cells: Cell[] = [];
  for (let start = 0; start < steps.length; start += perCell) {
    const part = steps.slice(start, start + perCell);
    cells.push({ part: mostTelling(part), size: part.length });
  }
  return cells;
}

const ORDER: readonly ChannelPart[] = ["failed", "running", "worked", "waiting", "cached", "plain", "empty"];

const mostTelling = (parts: readonly ChannelPart[]): ChannelPart =>
  ORDER.find((part) => parts.includes(part)) ?? "empty";

const round = (size: number) => Math.round(size * 1000) / 1000;
