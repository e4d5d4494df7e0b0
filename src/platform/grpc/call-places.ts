/** The memory reserved for one call's messages and its answer, until it is no longer needed. */
import type { MessageRoom, Place } from "./message-room.ts";

/**
 * Memory for calls: for an incoming message, for its decoded form, and for the answer. A call with a place in one room may wait
 * only for the rooms after it, so that calls never wait for each other in a circle.
 */
export interface CallRooms {
  messages: MessageRoom;
  objects: MessageRoom;
  answers: MessageRoom;
}

export class CallPlaces {
  readonly #rooms: CallRooms;
  /** The holder whose share is used. */
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

  /** One at a time. @returns nothing, or a promise for when there is room. Rejects with `NoRoomError` */
  take(kind: keyof CallRooms, bytes: number): Promise<void> | undefined {
    const place = this.#rooms[kind].take(this.holder, bytes);
    this.#held[kind].push(place);
    if (!place.ready) return undefined;
    this.#waiting = place;
    return place.ready.finally(() => (this.#waiting = null));
  }

  /** The message has been processed, and another may arrive. */
  endMessage(): void {
    this.#release("messages");
  }

  /** The messages, and objects made from them, are no longer used. */
  endInput(): void {
    this.#release("messages");
    this.#release("objects");
  }

  /** The answer is ready, with this size. */
  shrinkAnswer(bytes: number): void {
    for (const place of this.#held.answers) place.shrink(bytes);
  }

  /** The client has left, or was answered: the call stops waiting. */
  giveUp(): void {
    this.#waiting?.release();
  }

  endMethod(): void {
    this.#isDone = true;
    this.endInput();
    if (this.#isSent) this.#release("answers");
  }

  /** The whole answer was sent, or none of it will be. */
  endStream(): void {
    this.#isSent = true;
    if (this.#isDone) this.#release("answers");
  }

  #release(kind: keyof CallRooms): void {
    for (const place of this.#held[kind].splice(0)) place.release();
  }
}
