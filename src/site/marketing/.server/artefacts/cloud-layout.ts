/**
 * The layout of an installation's boxes: a chain from the clients inwards, then the parts that its last box reaches.
 * The frame surrounds the boxes in the account.
 *
 *                 ┌─ frame ────────────────────────╌┐
 *     [ clients ]─┼─[ balancer ]─[ control ]─┬─[ part ] │
 *                 │                          ╰─[ part ] │
 *                 └─────────────────────────────────╌┘
 *
 * `placeWide` is for wide screens, `placeTall` for phones. Text widths are estimated: there is no font at build time.
 */
import { textWidth } from "#docs/components/text-width.ts";

export interface CloudBox {
  title: string;
  text?: string | undefined;
}

export interface PlacedCloudBox extends CloudBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface CloudLayout {
  width: number;
  height: number;
  frame: { x: number; y: number; width: number; height: number };
  boxes: PlacedCloudBox[];
  /** SVG path data of the rails. */
  rails: string[];
  /** Labels of the flow between two boxes of the chain, above its rail (wide) or next to it (tall). */
  links: { x: number; y: number; text: string; anchor: "middle" | "start" }[];
}

export interface Cloud {
  /** The first box is outside the frame. */
  chain: CloudBox[];
  /** One label for each step of the chain. */
  links: string[];
  parts: CloudBox[];
}

const TITLE_SIZE = 15;
const TEXT_SIZE = 13;
const PADDING = 16;
const ELBOW = 12;

const heightOf = (box: CloudBox) => (box.text === undefined ? 44 : 60);
const widthOf = (box: CloudBox) =>
  Math.ceil(Math.max(textWidth(box.title, TITLE_SIZE), textWidth(box.text ?? "", TEXT_SIZE))) + 2 * PADDING;

export function placeWide({ chain, links, parts }: Cloud): CloudLayout {
  const gap = 12;
  const top = 52;
  const column = parts.reduce((sum, part) => sum + heightOf(part) + gap, -gap);
  const height = top + column + 28;
  const middle = middleOf(parts, top, gap);
  const boxes: PlacedCloudBox[] = [];
  const rails: string[] = [];
  const labels: CloudLayout["links"] = [];
  let x = 1;
  let frameX = 0;
  chain.forEach((box, index) => {
    if (index > 0) {
      const link = links[index - 1] ?? "";
      const room = Math.max(56, Math.ceil(textWidth(link, TEXT_SIZE)) + 28);
      // The first rail crosses the frame, so its label is outside the frame.
      const crossing = index === 1 ? 24 : 0;
      rails.push(`M${x} ${middle}h${room + crossing}`);
      if (link) labels.push({ x: x + room / 2, y: middle - 9, text: link, anchor: "middle" });
      if (index === 1) frameX = x + room;
      x += room + crossing;
    }
    const size = { width: widthOf(box), height: heightOf(box) };
    boxes.push({ ...box, x, y: middle - size.height / 2, ...size });
    x += size.width;
  });
  const widest = Math.max(...parts.map(widthOf));
  const turn = x + 26;
  let y = top;
  for (const part of parts) {
    const center = y + heightOf(part) / 2;
    rails.push(elbowTo({ from: { x, y: middle }, turn, to: { x: turn + 26, y: center } }));
    boxes.push({ ...part, x: turn + 26, y, width: widest, height: heightOf(part) });
    y += heightOf(part) + gap;
  }
  const width = turn + 26 + widest + 22;
  return {
    width,
    height,
    frame: { x: frameX, y: 1, width: width - frameX - 1, height: height - 2 },
    boxes,
    rails,
    links: labels,
  };
}

/** The centre of the part nearest to the middle of all parts, so that its rail is straight. */
function middleOf(parts: CloudBox[], top: number, gap: number): number {
  let y = top;
  const centers = parts.map((part) => {
    const center = y + heightOf(part) / 2;
    y += heightOf(part) + gap;
    return center;
  });
  const middle = (top + y - gap) / 2;
  return centers.reduce((best, each) => (Math.abs(each - middle) < Math.abs(best - middle) ? each : best));
}

interface Elbow {
  from: { x: number; y: number };
  /** The x at which the line goes up or down. */
  turn: number;
  to: { x: number; y: number };
}

/** From the left to `turn`, up or down there, and on to the right. */
function elbowTo({ from: { x: fromX, y: fromY }, turn, to: { x: toX, y: toY } }: Elbow): string {
  const way = toY - fromY;
  const radius = Math.min(ELBOW, Math.abs(way) / 2);
  if (radius < 1) return `M${fromX} ${fromY}H${toX}`;
  const side = Math.sign(way);
  const [first, second] = side > 0 ? [1, 0] : [0, 1];
  return (
    `M${fromX} ${fromY}H${turn - radius}a${radius} ${radius} 0 0 ${first} ${radius} ${side * radius}` +
    `V${toY - side * radius}a${radius} ${radius} 0 0 ${second} ${radius} ${side * radius}H${toX}`
  );
}

export function placeTall({ chain, links, parts }: Cloud): CloudLayout {
  const width = 330;
  const left = 17;
  const railX = left + 20;
  const boxes: PlacedCloudBox[] = [];
  const rails: string[] = [];
  const labels: CloudLayout["links"] = [];
  let y = 1;
  let frameY = 0;
  chain.forEach((box, index) => {
    if (index > 0) {
      const room = index === 1 ? 88 : 40;
      rails.push(`M${railX} ${y}v${room}`);
      const link = links[index - 1];
      if (link) labels.push({ x: railX + 14, y: y + 24, text: link, anchor: "start" });
      if (index === 1) frameY = y + 36;
      y += room;
    }
    boxes.push({ ...box, x: left, y, width: Math.max(150, widthOf(box)), height: heightOf(box) });
    y += heightOf(box);
  });
  const from = y;
  for (const part of parts) {
    y += 14;
    const center = y + heightOf(part) / 2;
    rails.push(`M${railX} ${from}V${center - ELBOW}a${ELBOW} ${ELBOW} 0 0 0 ${ELBOW} ${ELBOW}H${railX + 26}`);
    boxes.push({ ...part, x: railX + 26, y, width: width - railX - 26 - 17, height: heightOf(part) });
    y += heightOf(part);
  }
  const height = y + 18;
  return {
    width,
    height,
    frame: { x: 1, y: frameY, width: width - 2, height: height - frameY - 1 },
    boxes,
    rails,
    links: labels,
  };
}
