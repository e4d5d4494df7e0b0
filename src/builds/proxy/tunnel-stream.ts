/** A WebSocket's bytes as a stream: each side is read only as fast as the other accepts data and its organization has turns. */
import { Duplex } from "node:stream";
import { workGate } from "#platform/fair/work-gate.ts";
import type { WebSocket } from "ws";
import { GOODBYE_MS, TUNNEL_FRAME_BYTES } from "./limits.ts";
import { notePassed } from "./young-memory.ts";

/** WebSocket's codes for the end of a connection (RFC 6455, 7.4.1). */
const [NORMAL, UNSUPPORTED, ABNORMAL] = [1000, 1003, 1006];

export class TunnelStream extends Duplex {
  readonly #socket: WebSocket;
  readonly #organizationId: string;
  #isFull = false;
  /** Messages that were read and still wait for a turn. */
  #waiting = 0;

  constructor(socket: WebSocket, organizationId: string) {
    super({ allowHalfOpen: false });
    this.#socket = socket;
    this.#organizationId = organizationId;
    socket.on("message", (message: Buffer, isBinary) => {
      notePassed(message.length);
      if (isBinary) this.#take(message);
      else this.#end(UNSUPPORTED);
    });
    socket.once("close", (code) => {
      if (code === ABNORMAL) this.destroy();
      else this.push(null);
    });
    socket.on("error", (error) => this.destroy(error));
  }

  override _read(): void {
    this.#isFull = false;
    this.#readOn();
  }

  #take(message: Buffer): void {
    const turn = workGate.pace(this.#organizationId, message.length);
    if (turn) {
      this.#waiting += 1;
      void turn.then(() => {
        this.#waiting -= 1;
        this.#readOn();
      });
    }
    this.#isFull = !this.push(message);
    if (this.#isFull || turn) this.#socket.pause();
  }

  #readOn(): void {
    if (!this.#isFull && this.#waiting === 0 && this.#socket.isPaused) this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    let at = 0;
    for (; at + TUNNEL_FRAME_BYTES < chunk.length; at += TUNNEL_FRAME_BYTES)
      this.#socket.send(chunk.subarray(at, at + TUNNEL_FRAME_BYTES));
    const turn = workGate.pace(this.#organizationId, chunk.length);
    this.#socket.send(
      chunk.subarray(at),
      turn ? (error) => (error ? done(error) : void turn.then(() => done())) : done,
    );
  }

  override _final(done: () => void): void {
    this.#end(NORMAL);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#end(NORMAL);
    done(error);
  }

  /** The other side may be gone silently, or may not read. */
  #end(code: number): void {
    const socket = this.#socket;
    if (socket.readyState >= socket.CLOSING) return;
    socket.close(code);
    // Its own close frame must be read.
    socket.resume();
    const timer = setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
    socket.once("close", () => clearTimeout(timer));
  }
}
