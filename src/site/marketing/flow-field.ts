/**
 * Lines of flowing water as SVG path data. Each line has a meaning: streams that join a channel, or the flow
 * around a missing page (the 404).
 *
 *   converge            cylinder
 *   ───╮                ─────╭───╮─────
 *   ───┼──── lane       ────╭╯   ╰╮────
 *   ───╯                ────╰╮   ╭╯────
 */

interface Converge {
  width: number;
  height: number;
  /** The y at which each lane's first line leaves on the right; lines of a lane are 4 apart. */
  lanes: number[];
  linesPerLane: number;
}

/** Lines that enter evenly spread on the left and leave in their lanes on the right. */
export function convergePaths({ width, height, lanes, linesPerLane }: Converge): string[] {
  const total = lanes.length * linesPerLane;
  return Array.from({ length: total }, (_, n) => {
    const from = round((height * (n + 0.5)) / total);
    const lane = lanes[Math.floor(n / linesPerLane)] ?? 0;
    const to = round(lane + 4 * (n % linesPerLane) + 0.5);
    return `M0 ${from}C${round(0.39 * width)} ${from} ${round(0.45 * width)} ${to} ${width} ${to}`;
  });
}

interface Cylinder {
  /** Centre and radius of the cylinder. */
  cx: number;
  cy: number;
  radius: number;
  /** The x at which lines begin and end. */
  fromX: number;
  toX: number;
  /** Half the height that lines fill, above and below the centre. */
  reach: number;
  /** Distance of two lines far from the cylinder. */
  spacing: number;
}

/**
 * Streamlines of potential flow around a cylinder: the curves on which ψ = y (1 − R² / (x² + y²)) is constant
 * (Milne-Thomson, Theoretical Hydrodynamics, § 6.22), from top to bottom.
 */
export function cylinderPaths({ cx, cy, radius, fromX, toX, reach, spacing }: Cylinder): string[] {
  const count = Math.ceil(reach / spacing);
  return Array.from({ length: 2 * count }, (_, i) => {
    // No line at ψ = 0: it would end on the cylinder.
    const psi = (i < count ? i - count : i - count + 1) * spacing;
    const points: [number, number][] = [];
    for (let x = fromX; ;) {
      points.push([x, cy + Math.sign(psi) * heightOnLine(Math.abs(psi), x - cx, radius)]);
      if (x === toX) break;
      // The bend is drawn finely, the near-straight rest in long steps: a third of the bytes.
      x = Math.min(toX, x + (Math.abs(x - cx) < 2 * radius ? 8 : 40));
    }
    return polyline(points);
  });
}

/** The y ≥ 0 outside the cylinder where ψ has this value; ψ grows with y there, so halving the interval finds it. */
export function heightOnLine(psi: number, x: number, radius: number): number {
  let low = Math.sqrt(Math.max(0, radius * radius - x * x));
  let high = psi + radius;
  for (let step = 0; step < 32; step++) {
    const y = (low + high) / 2;
    if (y * (1 - (radius * radius) / (x * x + y * y)) < psi) low = y;
    else high = y;
  }
  return high;
}

/** Relative steps with one decimal; each is rounded from where the pen is, so that errors do not add up. */
function polyline(points: [number, number][]): string {
  const [start, ...rest] = points.map(([x, y]): [number, number] => [round(x), round(y)]);
  if (!start) return "";
  let [penX, penY] = start;
  let path = `M${penX} ${penY}l`;
  for (const [x, y] of rest) {
    path += `${path.endsWith("l") ? "" : " "}${round(x - penX)} ${round(y - penY)}`;
    [penX, penY] = [x, y];
  }
  return path.replaceAll(" -", "-");
}

const round = (value: number) => Math.round(value * 10) / 10;
