/** The same as `watchAnswers` for handlers that answer Node's requests without a framework. */
import { constants } from "node:http2";
import type { AnyRequest, AnyResponse } from "./connection.ts";
import type { AnsweredRequest } from "./watch-answers.ts";

export interface WatchedAnswer {
  /** The part of the server that answers. */
  mount: string;
  /** Read after the answer: values that only its maker knows. */
  describe?: () => Partial<Pick<AnsweredRequest, "bytes" | "grpcStatus">>;
  tell: (answered: AnsweredRequest) => void;
}

export function watchNodeAnswer(
  request: AnyRequest,
  response: AnyResponse,
  { mount, describe, tell }: WatchedAnswer,
): void {
  const started = performance.now();
  const { method = "", httpVersion } = request;
  const path = request.url?.split("?", 1)[0] ?? "";
  const stream = "stream" in response ? response.stream : null;
  response.once("close", () =>
    tell({
      method,
      path,
      mount,
      protocol: httpVersion,
      status: response.statusCode,
      bytes: null,
      ms: performance.now() - started,
      isCut: stream ? stream.rstCode !== constants.NGHTTP2_NO_ERROR : !response.writableFinished,
      ...describe?.(),
    }),
  );
}
