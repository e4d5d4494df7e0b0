/**
 * Memory for large answers that are made for their requests: an HTTP/2 client that opens no window leaves all of an answer in
 * this process, and with all the requests that one address may have, answers of 4 MB would take 2 GB.
 */
import { createMessageRoom, type MessageRoom, type Place } from "../../grpc/message-room.ts";
import type { AnyResponse } from "../connection.ts";
import type { NodeCall } from "./answer.ts";

/** Of all rooms. Less than what makes `connections.ts` refuse pages. */
const ANSWER_BYTES = 48 * 1024 * 1024;
/** How long an answer waits for that, in milliseconds. */
const WAIT_MS = 20_000;

/** Half of it for one holder: most servers have one organization. */
export const createAnswerRoom = (bytes = ANSWER_BYTES, waitMs = WAIT_MS): MessageRoom =>
  createMessageRoom({ bytes, share: bytes / 2, waitMs });

const answers = createAnswerRoom();

/**
 * Waits until there is memory for so many bytes, which the answer has until its reader has taken it, or has left.
 * @param holder whose share it comes from
 * @returns to be made smaller once it is known what the answer has
 * @throws NoRoomError, also when the client has left
 */
export async function holdAnswer(
  { response }: Pick<NodeCall, "response">,
  { holder, bytes, room = answers }: { holder: string; bytes: number; room?: MessageRoom | undefined },
): Promise<Pick<Place, "shrink">> {
  const place = room.take(holder, bytes);
  response.once("close", place.release);
  // What has ended already tells it no more.
  if (isOver(response)) place.release();
  if (place.ready) await place.ready;
  return place;
}

const isOver = (response: AnyResponse) =>
  "stream" in response ? response.stream.destroyed : response.destroyed;
