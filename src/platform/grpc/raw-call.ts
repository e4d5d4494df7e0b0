/**
 * One call on its HTTP/2 stream, without a library between: a fifth of the processor's time.
 *
 *   headers ─► messages in ─► messages out ─► trailers with the status
 */
import type { IncomingHttpHeaders } from "node:http";
import {
  constants,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Stream,
} from "node:http2";
import { Code } from "@connectrpc/connect";
import type { UploadPace } from "../http/connection.ts";
import { trustSession } from "../http/stream-resets.ts";
import { encodeGrpcMessage, GrpcError, readGrpcTimeout } from "./grpc-error.ts";
import { createMessageSplitter, frameMessage } from "./split-messages.ts";

/** The client has gone, or was told how the call ends: nothing more can be answered. */
export class CallOverError extends Error {}

export interface CallInfo {
  path: string;
  /** Of the client; "" if unknown. */
  address: string;
  requestId: string;
  maxMessageBytes: number;
  /** Gives the body the time that an upload needs; see `ConnectionGuard`. Absent without a guard. */
  admitUpload?: (() => UploadPace | null) | undefined;
}

export class RawCall {
  readonly info: CallInfo;
  readonly headers: IncomingHttpHeaders;
  readonly #stream: ServerHttp2Stream;
  readonly #response: Http2ServerResponse;
  #deadline: NodeJS.Timeout | null = null;
  #isOver = false;
  #pace: UploadPace | null = null;
  /** Ends what waits for the client. */
  #onOver: (() => void)[] = [];

  constructor(request: Http2ServerRequest, response: Http2ServerResponse, info: CallInfo) {
    this.info = info;
    this.headers = request.headers;
    this.#response = response;
    this.#stream = response.stream;
    // Told by the stream's end as well.
    this.#stream.on("error", () => {});
    this.#stream.once("close", () => this.#end());
    if (this.#stream.destroyed) this.#end();
  }

  /** Whether nothing can be sent any more; a stream that was closed tells it later. */
  get #isGone(): boolean {
    return this.#isOver || this.#stream.closed || this.#stream.destroyed;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends the call when the client says that it waits no longer. @throws GrpcError */
  startDeadline(): void {
    const header = this.headers["grpc-timeout"];
    const milliseconds = readGrpcTimeout(typeof header === "string" ? header : undefined);
    if (milliseconds === null) return;
    const late = new GrpcError(
      Code.DeadlineExceeded,
      "the answer was not ready in the time that the client gives it",
    );
    this.#deadline = setTimeout(() => this.fail(late), milliseconds);
  }

  /** Its session is that of somebody who is known, and may do what only a stranger would do to harm. */
  trustSession(): void {
    const { session } = this.#stream;
    if (session) trustSession(session);
  }

  /** Its messages may take longer than those of other calls, as long as bytes keep coming. */
  admitUpload(): void {
    this.#pace ??= this.info.admitUpload?.() ?? null;
  }

  /** The one message of a call that has one. @throws GrpcError, CallOverError */
  readOnly(): Promise<Buffer> {
    const splitter = createMessageSplitter(this.info.maxMessageBytes);
    let only: Buffer | null = null;
    return new Promise((resolve, reject) => {
      const take = () => {
        for (let message = splitter.next(); message; message = splitter.next()) {
          if (only) throw new GrpcError(Code.InvalidArgument, "this method takes one message");
          only = message;
        }
      };
      const onData = (chunk: Buffer) => {
        this.#noteReceived(chunk);
        splitter.push(chunk);
        try {
          take();
        } catch (error) {
          this.#stream.off("data", onData).pause();
          reject(error);
        }
      };
      // A request without a body may have ended before anybody listened.
      if (this.#stream.readableEnded) return reject(endedEarly());
      this.#stream.on("data", onData);
      this.#stream.once("end", () => {
        if (only && !splitter.isWithin) resolve(only);
        else reject(endedEarly());
      });
      this.#whenOver(() => reject(new CallOverError()));
    });
  }

  /** All messages, each when it is asked for. The client is held back meanwhile. @throws GrpcError, CallOverError */
  async *readAll(): AsyncGenerator<Buffer> {
    const splitter = createMessageSplitter(this.info.maxMessageBytes);
    try {
      // An answer may follow although more comes.
      for await (const chunk of this.#stream.iterator({ destroyOnReturn: false })) {
        this.#noteReceived(chunk as Buffer);
        splitter.push(chunk as Buffer);
        // Until the next one is asked for, the server is not done with this one.
        if (this.#pace) this.#pace.isHeld = true;
        for (let message = splitter.next(); message; message = splitter.next()) yield message;
        if (this.#pace) this.#pace.isHeld = false;
      }
    } catch (error) {
      if (error instanceof GrpcError) throw error;
      throw new CallOverError("The stream was closed.", { cause: error });
    }
    if (this.#isGone || this.#stream.aborted) throw new CallOverError();
    if (splitter.isWithin) throw endedEarly();
  }

  /** @param parts of one message. @returns nothing, or a promise for when there is room for the next. @throws CallOverError */
  send(...parts: Uint8Array[]): Promise<void> | undefined {
    this.#begin();
    if (this.#response.write(frameMessage(...parts))) return undefined;
    return new Promise((resolve, reject) => {
      this.#stream.once("drain", resolve);
      this.#whenOver(() => reject(new CallOverError()));
    });
  }

  /** Ends it well. @param parts of the last message */
  finish(...parts: Uint8Array[]): void {
    this.#begin();
    this.#sendTrailers({ "grpc-status": "0" });
    if (parts.length > 0) this.#response.end(frameMessage(...parts));
    else this.#response.end();
    this.#end();
  }

  fail({ code, message }: GrpcError): void {
    if (this.#isGone) return;
    const status = { "grpc-status": String(code), "grpc-message": encodeGrpcMessage(message) };
    if (this.#stream.headersSent) {
      this.#sendTrailers(status);
      this.#response.end();
    } else {
      // Not sent from here: whoever watches the answer reads it.
      this.#response.setHeader("grpc-status", status["grpc-status"]);
      this.#stream.respond({ ...this.#headers(), ...status }, { endStream: true });
      this.#stopBody();
    }
    this.#end();
  }

  #noteReceived({ length }: Buffer): void {
    if (this.#pace) this.#pace.receivedBytes += length;
  }

  #begin(): void {
    if (this.#isGone) throw new CallOverError();
    if (!this.#stream.headersSent) this.#stream.respond(this.#headers(), { waitForTrailers: true });
  }

  #sendTrailers(trailers: Record<string, string>): void {
    this.#response.addTrailers(trailers);
    if (!this.#stream.readableEnded) this.#stream.once("wantTrailers", () => this.#stopBody());
  }

  /** A body that nobody reads must not keep the stream open. The answer goes first. */
  #stopBody(): void {
    if (this.#stream.readableEnded) return;
    setImmediate(() => this.#stream.close(constants.NGHTTP2_NO_ERROR));
  }

  #headers() {
    return {
      ":status": 200,
      "content-type": "application/grpc",
      "grpc-accept-encoding": "identity",
      "x-request-id": this.info.requestId,
    };
  }

  #whenOver(run: () => void): void {
    if (this.#isOver) run();
    else this.#onOver.push(run);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#deadline) clearTimeout(this.#deadline);
    for (const run of this.#onOver.splice(0)) run();
  }
}

const endedEarly = () => new GrpcError(Code.InvalidArgument, "the request ended before its message did");
