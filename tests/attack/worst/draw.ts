/** Chooses the worst requests: a seed and a number give the same one, so that each can be sent again. */
import { promisify } from "node:util";
import { brotliCompress, constants, deflate, gzip, zstdCompress } from "node:zlib";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { REQUEST_BYTES } from "../bounds.ts";
import { createRandom, type Random } from "../fuzz/random.ts";
import { clientAddress } from "../requests.ts";
import type { Caller } from "./callers.ts";
import type { Carried } from "./carry.ts";
import type { Cell } from "./endpoints.ts";

export interface WorstRequest {
  endpoint: string;
  /** One of `placesOf`. */
  place: string;
  /** The request, its receiver and its sender, in words. */
  title: string;
  /** In sequence. */
  sent: Carried[];
}

/** Leaves room for what is around a message. */
const MOST_BYTES = REQUEST_BYTES - 64;
/**
 * The most that anyone may send, and sizes that get further: most methods take at most 64 KB, the smallest 4 KB, and
 * 150 bytes have no more fields than one takes.
 */
const SIZES = [MOST_BYTES, MOST_BYTES, MOST_BYTES, 1_000_000, 250_000, 65_000, 32_000, 4_000, 150];
/** The size of a body that is compressed to less. */
const UNPACKED_BYTES = 16 * 1024 * 1024;

type Pack = (bytes: Buffer) => Promise<Buffer>;
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const CODINGS: readonly [name: string, pack: Pack][] = [
  ["gzip", promisify(gzip)],
  ["deflate", promisify(deflate)],
  ["br", (bytes) => promisify(brotliCompress)(bytes, quick)],
  ["zstd", promisify(zstdCompress)],
];

/** A method, a route, or a stored form: several endpoints and forms lead to it. */
const placeOf = ({ endpoint, method, path }: Cell): string =>
  path === "" ? endpoint : `${method} ${path.replace(/^\/api(?=\/[\w.]+\.\w+\/)/, "")}`;

export const placesOf = (cells: readonly Cell[]): Set<string> => new Set(cells.map(placeOf));

/**
 * First every place once, from a caller who is let in; then every cell once before any repeats. The shapes of each are
 * drawn.
 */
export async function drawRequest(
  { cells, callers, seed }: { cells: readonly Cell[]; callers: readonly Caller[]; seed: number },
  number: number,
): Promise<WorstRequest> {
  const random = createRandom(seed * 1_000_003 + number);
  const { order, places } = orderOf(cells, seed);
  const cell = cells[order[number % cells.length]!]!;
  const isAnybody = random.chance(0.5) && number >= places;
  const caller = isAnybody ? random.pick(callers) : likelyCaller(cell, callers, random);
  const coding = random.chance(0.12) ? random.pick(CODINGS) : null;
  const size = random.pick(SIZES);
  const isBody = cell.bodies !== undefined && random.chance(0.1);
  const shape = random.pick(isBody ? cell.bodies! : cell.shapes);
  const wanted =
    coding && size === MOST_BYTES ? UNPACKED_BYTES : cell.isBase64 ? Math.floor(size * 0.7) : size;
  const made = shape.make(wanted, random);
  const { headers, body } = await packed(cell, isBody ? null : made, { coding, random, whole: made });
  const isHttp2 = cell.isHttp2 ?? (!cell.steps && random.chance(0.2));
  const from = clientAddress(number % 4_000);
  const one: Carried = {
    method: cell.method,
    path: cell.path,
    headers: { ...(cell.isBuilder ? SESSION : caller.headers), "content-type": cell.type, ...headers },
    body: cell.isBase64 ? Buffer.from(body.toString("base64")) : body,
    isHttp2,
    isChunked: random.chance(0.2),
    isStream: cell.isStream ?? false,
    isBuilder: cell.isBuilder ?? false,
    from,
  };
  const steps = cell
    .steps?.(made)
    .map((step) => ({ ...step, headers: { ...caller.headers, ...step.headers }, from }));
  const over = isHttp2 ? ", HTTP/2" : "";
  const title = `${cell.endpoint} (${cell.path}, ${cell.type}${over}) ${body.length} bytes${coding ? ` of ${coding[0]}` : ""}: ${shape.name}, from ${caller.name}`;
  return { endpoint: cell.endpoint, place: placeOf(cell), title, sent: steps ?? [one] };
}

/** The headers of a builder's client. */
const SESSION = { "x-docker-expose-session-uuid": "worst" };

interface Order {
  /** The cells' numbers. */
  order: number[];
  /** How many of them, at the beginning, are the first of their place. */
  places: number;
}

const orders = new WeakMap<readonly Cell[], Map<number, Order>>();

function orderOf(cells: readonly Cell[], seed: number): Order {
  const known = orders.get(cells) ?? new Map<number, Order>();
  orders.set(cells, known);
  const made = known.get(seed) ?? makeOrder(cells, seed);
  known.set(seed, made);
  return made;
}

function makeOrder(cells: readonly Cell[], seed: number): Order {
  const random = createRandom(seed);
  const order = cells.map((_, at) => at);
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  // The first cell of each place.
  const firsts = new Map<string, number>();
  for (const at of order) {
    const place = placeOf(cells[at]!);
    if (!firsts.has(place)) firsts.set(place, at);
  }
  const begin = new Set(firsts.values());
  return { order: [...begin, ...order.filter((at) => !begin.has(at))], places: begin.size };
}

/** A caller that gets further than the endpoint. */
function likelyCaller({ path }: Cell, callers: readonly Caller[], random: Random): Caller {
  const wanted = /^\/(?:search|indexes)/.test(path)
    ? /key of the search/
    : /^\/(?:auth|oauth|console|app)/.test(path)
      ? /session/
      : /owner|that reads/;
  return random.pick(callers.filter(({ name }) => wanted.test(name)));
}

interface Packing {
  coding: (typeof CODINGS)[number] | null;
  random: Random;
  whole: Buffer;
}

/** @param message null: the body is whole already */
async function packed(
  { isFramed, type }: Cell,
  message: Buffer | null,
  { coding, random, whole }: Packing,
): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const frame = (bytes: Buffer) => (isFramed && message ? frameMessage(bytes) : bytes);
  if (!coding) return { headers: {}, body: frame(whole) };
  const [name, pack] = coding;
  const isMessage = isFramed === true && message !== null && random.chance(0.7);
  const bytes = await pack(isMessage ? whole : frame(whole));
  // Some SDKs do not declare it.
  if (!isMessage) return { headers: random.chance(0.7) ? { "content-encoding": name } : {}, body: bytes };
  const body = frame(bytes);
  body[0] = 1;
  return {
    headers: { [type.includes("connect") ? "connect-content-encoding" : "grpc-encoding"]: name },
    body,
  };
}
