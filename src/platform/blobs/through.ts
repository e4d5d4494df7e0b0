import { pipeline, Readable, type Transform } from "node:stream";

/** Pipes bytes through a transform. A reader that stops early closes the source. */
export async function* through(
  bytes: AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncIterable<Buffer> {
  // An error of the source becomes an error of `transform`, which is read here.
  pipeline(Readable.from(bytes, { objectMode: false }), transform, () => {});
  yield* transform as AsyncIterable<Buffer>;
}
