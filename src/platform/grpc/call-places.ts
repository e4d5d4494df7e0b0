/** The room that one call has for its messages and its answer, until nobody needs it any more. */
import type { MessageRoom, Place } from "./message-room.ts";

/**
 * Where calls find memory: for a message as it comes, decoded, and for the answer. A call that has one may wait for those
 * after it, never the other way round, so that none waits for one that waits for it.
 */
export interface CallRooms {
  messages: MessageRoom;
  objects: MessageRoom;
  answers: MessageRoom;
}

export class CallPlaces {
  readonly #rooms: CallRooms;
  /** Whose share it comes from. */
  holder: string;
  readonly #held: { [Kind in keyof CallRooms]: Place[] } = { messages: [], objects: [], answers: [] };
  #waiting: Place | null = null;
  #isDone = false;
  #isSent = false;

  constructor(rooms: CallRooms, holder: string) {
    this.#rooms = rooms;
    this.holder = holder;
  }

  has(kind: keyof CallRooms): boolean {
    return this.#held[kind].length > 0;
  }

  /** One at a time. @returns nothing, or a promise for when there is room. It rejects with `NoRoomError` */
  take(kind: keyof CallRooms, bytes: number): Promise<void> | undefined {
    const place = this.#rooms[kind].take(this.holder, bytes);
    this.#held[kind].push(place);
    if (!place.ready) return undefined;
    this.#waiting = place;
    return place.ready.finally(() => (this.#waiting = null));
  }

  /** The message has been dealt with, and another may come. */
  endMessage(): void {
    this.#release("messages");
  }

  /** Nobody has the messages any more, nor what was made of them. */
  endInput(): void {
    this.#release("messages");
    this.#release("objects");
  }

  /** The answer is there, and as large. */
  shrinkAnswer(bytes: number): void {
    for (const place of this.#held.answers) place.shrink(bytes);
  }

  /** The client has gone, or was answered: the call waits for nothing any more. */
  giveUp(): void {
    this.#waiting?.release();
  }

  endMethod(): void {
    this.#isDone = true;
    this.endInput();
    if (this.#isSent) this.#release("answers");
  }

  /** All of the answer has gone, or nothing of it will. */
  endStream(): void {
    this.#isSent = true;
    if (this.#isDone) this.#release("answers");
  }

  #release(kind: keyof CallRooms): void {
    for (const place of this.#held[kind].splice(0)) place.release();
  }
}
