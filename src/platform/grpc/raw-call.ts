/**
 * One call directly on its HTTP/2 stream, without a library: a fifth of the CPU time.
 *
 *   headers ─► messages in ─► messages out ─► trailers with the status
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse, ServerHttp2Stream } from "node:http2";
import { Code } from "@connectrpc/connect";
import { UPLOADED } from "../fair/limits.ts";
import { nextTurn, nextTurnOf, paceUpload, workGate } from "../fair/work-gate.ts";
import type { UploadPace } from "../http/connections/connection.ts";
import { addressKey } from "../http/addresses/client-address.ts";
import { trustSession } from "../http/connections/stream-resets.ts";
import { endedEarly, GrpcError, readGrpcTimeout, tooLate } from "./grpc-error.ts";
import { CallAnswer } from "./call-answer.ts";
import type { CallInfo } from "./call-info.ts";
import { CallPlaces } from "./call-places.ts";
import { CallOverError, CallWaits } from "./call-waits.ts";
import { NoRoomError } from "./message-room.ts";
import { createMessageSplitter, framePieces, lengthOf } from "./split-messages.ts";

/** Bytes of a large message that are sent at a time. */
const PIECE_BYTES = 256 * 1024;

export class RawCall {
  readonly info: CallInfo;
  readonly headers: IncomingHttpHeaders;
  readonly #stream: ServerHttp2Stream;
  readonly #answer: CallAnswer;
  #deadline: NodeJS.Timeout | null = null;
  #isOver = false;
  #isUpload = false;
  #pace: UploadPace | null = null;
  readonly #places: CallPlaces;
  /** Waits for the client. */
  readonly #waits = new CallWaits();

  constructor(request: Http2ServerRequest, response: Http2ServerResponse, info: CallInfo) {
    this.info = info;
    this.headers = request.headers;
    this.#stream = response.stream;
    this.#answer = new CallAnswer(response, { info, waits: this.#waits });
    this.#places = new CallPlaces(info.rooms, addressKey(info.address || null));
    // The stream's end reports it as well.
    this.#stream.on("error", () => {});
    this.#stream.once("close", () => {
      this.#end();
      this.#places.endStream();
    });
    if (this.#stream.destroyed) this.#end();
  }

  /** Whether nothing can be sent any more; a closed stream emits its event later. */
  get isGone(): boolean {
    return this.#isOver || this.#stream.closed || this.#stream.destroyed;
  }

  /** Ends the call at the client's deadline. @throws GrpcError */
  startDeadline(): void {
    const header = this.headers["grpc-timeout"];
    const milliseconds = readGrpcTimeout(typeof header === "string" ? header : undefined);
    if (milliseconds === null) return;
    this.#deadline = setTimeout(() => this.fail(tooLate()), milliseconds);
  }

  /**
   * The caller is known: the session is exempt from the limits for strangers, and memory counts towards the caller's share,
   * whatever its address.
   */
  trustCaller(holder: string): void {
    const { session } = this.#stream;
    if (session) trustSession(session);
    this.#places.holder = holder;
  }

  /** The holder whose share of the server's memory and work is used. */
  get holder(): string {
    return this.#places.holder;
  }

  /** Its messages may take longer than those of other calls, as long as bytes keep arriving. */
  admitUpload(): void {
    this.#isUpload = true;
    this.#pace ??= this.info.admitUpload?.() ?? null;
  }

  /**
   * The message of a call with one message; its memory is the call's until the method ends, or `finishInTurns` begins. @throws
   * GrpcError, NoRoomError, CallOverError
   */
  async readOnly(): Promise<Buffer> {
    const only = await this.#receiveOnly();
    const turn = workGate.pace(this.holder, (this.#isUpload ? UPLOADED : 1) * only.length);
    if (turn) await this.#untilRoom(turn);
    return only;
  }

  #receiveOnly(): Promise<Buffer> {
    const splitter = createMessageSplitter(this.info.maxMessageBytes);
    let only: Buffer | null = null;
    return this.#waits.add((resolve, reject) => {
      const stop = (error: unknown) => {
        this.#stream.off("data", onData).pause();
        reject(error);
      };
      const onData = (chunk: Buffer) => {
        this.#noteReceived(chunk);
        splitter.push(chunk);
        try {
          only ??= splitter.next();
          if (only && splitter.isWithin)
            throw new GrpcError(Code.InvalidArgument, "this method takes one message");
          const room = this.#awaitRoom(splitter.awaitedBytes);
          if (!room) return;
          this.#stream.pause();
          void room.then(() => this.#stream.resume(), stop);
        } catch (error) {
          stop(error);
        }
      };
      // A request without a body may have ended before a listener was added.
      if (this.#stream.readableEnded) return reject(endedEarly());
      this.#stream.on("data", onData);
      this.#stream.once("end", () => {
        // Otherwise it would keep the message for as long as the stream is open.
        this.#stream.off("data", onData);
        if (only && !splitter.isWithin) resolve(only);
        else reject(endedEarly());
      });
    });
  }

  /** All messages, on demand. The client is held back meanwhile. @throws GrpcError, NoRoomError, CallOverError */
  async *readAll(): AsyncGenerator<Buffer> {
    const splitter = createMessageSplitter(this.info.maxMessageBytes);
    try {
      // An answer may follow although more arrives.
      for await (const chunk of this.#stream.iterator({ destroyOnReturn: false })) {
        this.#noteReceived(chunk as Buffer);
        splitter.push(chunk as Buffer);
        // Until the next message is requested, the server is still busy with this one.
        if (this.#pace) this.#pace.isHeld = true;
        for (let message = splitter.next(); message; message = splitter.next()) {
          yield message;
          this.#places.endMessage();
        }
        await paceUpload(this.holder, (chunk as Buffer).length);
        const room = this.#awaitRoom(splitter.awaitedBytes);
        if (room) await room;
        if (this.#pace) this.#pace.isHeld = false;
      }
    } catch (error) {
      if (error instanceof GrpcError || error instanceof NoRoomError) throw error;
      throw new CallOverError("The stream was closed.", { cause: error });
    }
    if (this.isGone || this.#stream.aborted) throw new CallOverError();
    if (splitter.isWithin) throw endedEarly();
  }

  /**
   * Memory for the objects that the method makes from its message, until it ends, or for its answer, until that is sent.
   * @throws NoRoomError, CallOverError
   */
  async hold(kind: "objects" | "answers", bytes: number): Promise<void> {
    this.#requireHere();
    const room = this.#places.take(kind, bytes);
    if (room) await this.#untilRoom(room);
    this.#requireHere();
  }

  get holdsAnswer(): boolean {
    return this.#places.has("answers");
  }

  /** Call between two parts of long work, so that others get their turns. @throws CallOverError */
  async nextTurn(): Promise<void> {
    await nextTurnOf(this.holder);
    this.#requireHere();
  }

  /** The method has ended: the messages are no longer used. */
  endMethod(): void {
    this.#places.endMethod();
  }

  /** @param bytes of the incoming message. @returns nothing, or a promise for when there is room for it */
  #awaitRoom(bytes: number): Promise<void> | undefined {
    if (bytes === 0 || this.#places.has("messages")) return undefined;
    const room = this.#places.take("messages", bytes);
    return room && this.#untilRoom(room);
  }

  /** A client that waits for the server does not count as slow. @param room or the turn of its holder */
  async #untilRoom(room: Promise<void>): Promise<void> {
    const wasHeld = this.#pace?.isHeld ?? false;
    if (this.#pace) this.#pace.isHeld = true;
    try {
      await room;
    } catch (error) {
      throw this.isGone ? new CallOverError() : error;
    } finally {
      if (this.#pace) this.#pace.isHeld = wasHeld;
    }
  }

  /** @param parts of one message. @returns nothing, or a promise for when there is room for the next. @throws CallOverError */
  send(...parts: Uint8Array[]): Promise<void> | undefined {
    this.#requireHere();
    return this.#answer.send(parts, this.holder);
  }

  /** Ends it successfully. @param parts of the last message. @throws CallOverError */
  finish(...parts: Uint8Array[]): void {
    this.#requireHere();
    if (parts.length > 0) this.#places.shrinkAnswer(lengthOf(parts));
    this.#answer.finish(parts, this.holder);
    this.#end();
  }

  /**
   * The same for a large message, which is sent as its reader takes it: neither joining its parts nor sending it blocks others.
   * The reader may take hours: from here on, the memory of the request's message is reused, and no one may read it.
   * @param parts in order; their memory is in use until the call has ended
   * @throws CallOverError
   */
  async finishInTurns(parts: readonly Uint8Array[]): Promise<void> {
    this.#places.endInput();
    this.#places.shrinkAnswer(lengthOf(parts));
    for (const piece of framePieces(parts, PIECE_BYTES)) {
      this.#requireHere();
      await (this.#answer.write(piece, this.holder) ?? nextTurn());
    }
    this.finish();
  }

  fail(error: GrpcError): void {
    if (this.isGone) return;
    this.#answer.fail(error);
    this.#end();
  }

  #noteReceived({ length }: Buffer): void {
    if (this.#pace) this.#pace.receivedBytes += length;
  }

  #requireHere(): void {
    if (this.isGone) throw new CallOverError();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#deadline) clearTimeout(this.#deadline);
    this.#places.giveUp();
    this.#waits.end();
  }
}
