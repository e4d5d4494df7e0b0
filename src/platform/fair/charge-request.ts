/** Bytes of requests and answers that are not paced, charged to whom the running request works for; outside of one to nobody. */
import { currentRequest } from "../log/request-context.ts";
import { PARSED, REFUSED } from "./limits.ts";
import { chargeBytes } from "./work-gate.ts";

/** What came, from the client or from another server. */
export function chargeReceived(bytes: number): void {
  charge(currentRequest(), PARSED * bytes);
}

/** An answer of Node's. */
interface Written {
  write: (...args: never[]) => boolean;
  end: (...args: never[]) => unknown;
}

type Method = (...args: unknown[]) => unknown;

/** What goes of an answer that has not begun, as it is written. */
export function chargeWrites(response: Written): void {
  const request = currentRequest();
  if (!request) return;
  const charged =
    (method: Method): Method =>
    (...args) => {
      const [chunk] = args;
      if (typeof chunk === "string" || chunk instanceof Uint8Array) charge(request, chunk.length);
      return method.apply(response, args);
    };
  response.write = charged(response.write as Method) as Written["write"];
  // In HTTP/2 it writes by the former.
  if (!("stream" in response)) response.end = charged(response.end as Method) as Written["end"];
}

function charge(request: ReturnType<typeof currentRequest>, bytes: number): void {
  if (request && bytes > 0) chargeBytes(request.holder ?? REFUSED, bytes);
}
