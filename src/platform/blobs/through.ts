import { pipeline, Readable, type Transform } from "node:stream";

/** Bytes as a transform makes them. Whoever stops reading early closes what they come from. */
export async function* through(
  bytes: AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncIterable<Buffer> {
  // The error of the source becomes that of `transform`, which is read here.
  pipeline(Readable.from(bytes, { objectMode: false }), transform, () => {});
  yield* transform as AsyncIterable<Buffer>;
}
