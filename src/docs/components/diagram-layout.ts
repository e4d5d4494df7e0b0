/**
 * Arrows → positions of boxes, rails and labels, for a column that fits a phone.
 *
 * Every node but the roots is placed under one other node: its predecessor on the longest path to it. An only child is placed
 * straight below; several children are indented and each is reached by an elbow. Every other arrow leaves below its source and
 * uses a lane at the right:
 *
 *     [ builder ]◀──────────╮
 *       ├ new layers        │
 *       ├─▶[ layer cache ]  │
 *       │    ╰ finished ────╯
 *       ├ --push
 *       ╰─▶[ registry ]
 *
 * Widths are estimated, since there is no font at build time; the estimate is generous.
 */
import { countExits, growTree, type DiagramNode, type Edge } from "./diagram-tree.ts";
import { textWidth, wrap } from "./text-width.ts";

export interface PlacedText {
  x: number;
  /** Baseline of the first line. */
  y: number;
  lines: string[];
}

export interface PlacedBox extends PlacedText {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Layout {
  width: number;
  height: number;
  boxes: PlacedBox[];
  labels: PlacedText[];
  /** SVG path data of the rails. */
  rails: string[];
  /** Arrow heads: their positions, and whether they point down, right or left. */
  arrows: { x: number; y: number; to: "down" | "right" | "left" }[];
}

const WIDEST = 324;
const INDENT = 32;
const RAIL_OFFSET = 16;
const ELBOW = 10;
const LANE = 14;
const BOX_LINE = 20;
const LABEL_LINE = 18;

interface Exit {
  to: string;
  x: number;
  y: number;
}

export function layoutDiagram(edges: readonly Edge[]): Layout {
  const roots = growTree(edges);
  const placer = new Placer(countExits(roots));
  for (const root of roots) placer.placeRoot(root);
  placer.drawLanes();
  return placer.layout;
}

class Placer {
  readonly layout: Layout = { width: 0, height: 0, boxes: [], labels: [], rails: [], arrows: [] };
  readonly #places = new Map<string, PlacedBox>();
  readonly #exits: Exit[] = [];
  readonly #room: number;
  #y = 1;

  constructor(exits: number) {
    this.#room = WIDEST - Math.min(exits, 4) * LANE;
  }

  placeRoot(root: DiagramNode): void {
    if (this.layout.boxes.length > 0) this.#y += 24;
    this.#place(root, 1);
    this.layout.height = this.#y + 1;
  }

  #place(node: DiagramNode, left: number): PlacedBox {
    const box = this.#box(node.name, left);
    const bottom = this.#y;
    const railX = left + RAIL_OFFSET;
    for (const { to, label } of node.exits) {
      this.#y += 10;
      const right = this.#label(label, left + INDENT);
      const y = this.#y - LABEL_LINE / 2;
      this.layout.rails.push(
        `M${railX} ${bottom}V${y - ELBOW}a${ELBOW} ${ELBOW} 0 0 0 ${ELBOW} ${ELBOW}H${left + INDENT - 4}`,
      );
      this.#exits.push({ to, x: label === "" ? left + INDENT - 4 : right + 6, y });
    }
    const [only] = node.children;
    if (only && node.children.length === 1) {
      this.#y += 12;
      if (only.label === "") this.#y += 8;
      else this.#label(only.label, left + INDENT);
      this.#y += 10;
      this.layout.rails.push(`M${railX} ${bottom}V${this.#y}`);
      this.layout.arrows.push({ x: railX, y: this.#y, to: "down" });
      this.#place(only.node, left);
      return box;
    }
    for (const child of node.children) {
      this.#y += 14;
      if (child.label !== "") {
        this.#label(child.label, left + INDENT);
        this.#y += 5;
      }
      const placed = this.#place(child.node, left + INDENT);
      const y = placed.top + placed.height / 2;
      this.layout.rails.push(
        `M${railX} ${bottom}V${y - ELBOW}a${ELBOW} ${ELBOW} 0 0 0 ${ELBOW} ${ELBOW}H${placed.left}`,
      );
      this.layout.arrows.push({ x: placed.left, y, to: "right" });
    }
    return box;
  }

  #box(name: string, left: number): PlacedBox {
    const lines = wrap(name, this.#room - left - 28, 14);
    const width = Math.max(96, Math.ceil(Math.max(...lines.map((line) => textWidth(line, 14)))) + 28);
    const height = lines.length * BOX_LINE + 18;
    const box = { left, top: this.#y, width, height, x: left + 14, y: this.#y + 24, lines };
    this.layout.boxes.push(box);
    this.#places.set(name, box);
    this.#grow(left + width + 1);
    this.#y += height;
    return box;
  }

  /** @returns the right edge of the text */
  #label(text: string, left: number): number {
    const lines = text === "" ? [] : wrap(text, this.#room - left, 13);
    if (lines.length > 0) this.layout.labels.push({ x: left, y: this.#y + 13, lines });
    this.#y += Math.max(1, lines.length) * LABEL_LINE;
    const right = left + Math.max(0, ...lines.map((line) => textWidth(line, 13)));
    this.#grow(right);
    return Math.round(textWidth(lines.at(-1) ?? "", 13) + left);
  }

  /** Draws short lanes first, each to the right of everything that it passes. */
  drawLanes(): void {
    const taken: { from: number; to: number; x: number }[] = [];
    const arrivals = new Map<string, number>();
    const span = (exit: Exit) => Math.abs(exit.y - (this.#places.get(exit.to)?.top ?? 0));
    for (const exit of this.#exits.toSorted((a, b) => span(a) - span(b))) {
      const target = this.#places.get(exit.to);
      if (!target) continue;
      const count = arrivals.get(exit.to) ?? 0;
      arrivals.set(exit.to, count + 1);
      const y = target.top + target.height / 2 + (count % 2 === 0 ? 1 : -1) * Math.ceil(count / 2) * 10;
      const [from, to] = [Math.min(y, exit.y), Math.max(y, exit.y)];
      let x = Math.max(this.#rightOf(from, to), exit.x) + LANE + 2;
      while (
        taken.some((other) => other.x > x - LANE && other.x < x + LANE && other.from < to && from < other.to)
      )
        x += LANE;
      taken.push({ from, to, x });
      const turn = Math.min(ELBOW, (to - from) / 2);
      const up = y < exit.y;
      const first = up ? `a${turn} ${turn} 0 0 0 ${turn} ${-turn}` : `a${turn} ${turn} 0 0 1 ${turn} ${turn}`;
      const last = up
        ? `a${turn} ${turn} 0 0 0 ${-turn} ${-turn}`
        : `a${turn} ${turn} 0 0 1 ${-turn} ${turn}`;
      const right = target.left + target.width;
      this.layout.rails.push(
        `M${exit.x} ${exit.y}H${x - turn}${first}V${up ? y + turn : y - turn}${last}H${right}`,
      );
      this.layout.arrows.push({ x: right, y, to: "left" });
      this.#grow(x + 1);
    }
  }

  #rightOf(from: number, to: number): number {
    const boxes = this.layout.boxes.filter(({ top, height }) => top < to && top + height > from);
    const labels = this.layout.labels.filter(
      ({ y, lines }) => y - 13 < to && y - 13 + lines.length * LABEL_LINE > from,
    );
    return Math.max(
      0,
      ...boxes.map(({ left, width }) => left + width),
      ...labels.flatMap(({ x, lines }) => lines.map((line) => Math.round(x + textWidth(line, 13)))),
    );
  }

  #grow(right: number): void {
    this.layout.width = Math.max(this.layout.width, Math.ceil(right) + 1);
  }
}
