/**
 * Memory for large generated answers: if an HTTP/2 client opens no window, the whole answer stays in this process, and with all
 * requests that one address may have, answers of 4 MB would take 2 GB.
 */
import { createMessageRoom, type MessageRoom, type Place } from "./message-room.ts";
import type { AnyResponse } from "../http/connections/connection.ts";
import type { NodeCall } from "../http/node/answer.ts";

/** For all rooms. Less than the amount at which `http/connections/connections.ts` refuses pages. */
const ANSWER_BYTES = 48 * 1024 * 1024;
/** Milliseconds that an answer waits for memory. */
const WAIT_MS = 20_000;

/** Half of it per holder: most servers have one organization. */
export const createAnswerRoom = (bytes = ANSWER_BYTES, waitMs = WAIT_MS): MessageRoom =>
  createMessageRoom({ bytes, share: bytes / 2, waitMs });

const answers = createAnswerRoom();

/**
 * Waits for memory for this many bytes, which the answer keeps until its reader has received it, or has left.
 * @param holder whose share is used
 * @returns a place to shrink once the answer's size is known
 * @throws NoRoomError, also when the client has left
 */
export async function holdAnswer(
  { response }: Pick<NodeCall, "response">,
  { holder, bytes, room = answers }: { holder: string; bytes: number; room?: MessageRoom | undefined },
): Promise<Pick<Place, "shrink">> {
  const place = room.take(holder, bytes);
  response.once("close", place.release);
  // A response that is already over emits no events.
  if (isOver(response)) place.release();
  if (place.ready) await place.ready;
  return place;
}

const isOver = (response: AnyResponse) =>
  "stream" in response ? response.stream.destroyed : response.destroyed;
