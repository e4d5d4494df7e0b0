import { paceReceived } from "../fair/charge-request.ts";
import { type BodyLimits, type BodySource, readChunks } from "./read-body.ts";

/** Like `readChunks`, for a body that is stored and not parsed here: each piece is charged like an upload's, and waits for its turn. */
export async function* readStored(source: BodySource, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  for await (const chunk of readChunks(source, { ...limits, isChargedElsewhere: true })) {
    const turn = paceReceived(chunk.byteLength);
    if (turn) await turn;
    yield chunk;
  }
}
