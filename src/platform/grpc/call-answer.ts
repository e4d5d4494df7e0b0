/** The output of a gRPC call: its messages, and trailers with the status. */
import { constants, type Http2ServerResponse, type ServerHttp2Stream } from "node:http2";
import { chargeBytes, workGate } from "../fair/work-gate.ts";
import { answerHeaders, type CallInfo } from "./call-info.ts";
import type { CallWaits } from "./call-waits.ts";
import { encodeGrpcMessage, type GrpcError } from "./grpc-error.ts";
import { frameMessage } from "./split-messages.ts";

export class CallAnswer {
  readonly #response: Http2ServerResponse;
  readonly #stream: ServerHttp2Stream;
  readonly #info: CallInfo;
  readonly #waits: CallWaits;

  constructor(response: Http2ServerResponse, { info, waits }: { info: CallInfo; waits: CallWaits }) {
    this.#response = response;
    this.#stream = response.stream;
    this.#info = info;
    this.#waits = waits;
  }

  /** @param parts of one message. @param holder charged for it. @returns as `write` */
  send(parts: readonly Uint8Array[], holder: string): Promise<void> | undefined {
    return this.write(frameMessage(...parts), holder);
  }

  /** @param bytes already framed. @returns nothing, or a promise for when there is room for more; it rejects with CallOverError */
  write(bytes: Uint8Array, holder: string): Promise<void> | undefined {
    this.#begin();
    const turn = workGate.pace(holder, bytes.length);
    if (this.#response.write(bytes)) return turn;
    const drained = this.#waits.add<void>((resolve) => void this.#stream.once("drain", resolve));
    return turn ? drained.then(() => turn) : drained;
  }

  /** @param parts of the last message */
  finish(parts: readonly Uint8Array[], holder: string): void {
    this.#begin();
    this.#sendTrailers({ "grpc-status": "0" });
    if (parts.length > 0) {
      const message = frameMessage(...parts);
      chargeBytes(holder, message.length);
      this.#response.end(message);
    } else this.#response.end();
  }

  fail({ code, message }: GrpcError): void {
    const status = { "grpc-status": String(code), "grpc-message": encodeGrpcMessage(message) };
    if (this.#stream.headersSent) {
      this.#sendTrailers(status);
      this.#response.end();
    } else {
      // Not sent with this: the listeners of the answer read it.
      this.#response.setHeader("grpc-status", status["grpc-status"]);
      this.#stream.respond({ ...answerHeaders(this.#info), ...status }, { endStream: true });
      this.#stopBody();
    }
  }

  #begin(): void {
    if (!this.#stream.headersSent) this.#stream.respond(answerHeaders(this.#info), { waitForTrailers: true });
  }

  #sendTrailers(trailers: Record<string, string>): void {
    this.#response.addTrailers(trailers);
    if (!this.#stream.readableEnded) this.#stream.once("wantTrailers", () => this.#stopBody());
  }

  /** A body that is not read must not keep the stream open. The answer is sent first. */
  #stopBody(): void {
    if (this.#stream.readableEnded) return;
    setImmediate(() => this.#stream.close(constants.NGHTTP2_NO_ERROR));
  }
}
