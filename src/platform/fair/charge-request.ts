/** Charges unpaced bytes of requests and answers to the current request's holder; outside a request, to no one. */
import { currentRequest } from "../log/request-context.ts";
import { PARSED, REFUSED, UPLOADED } from "./limits.ts";
import { chargeBytes, paceUpload } from "./work-gate.ts";

/** Bytes received, from the client or from another server. */
export function chargeReceived(bytes: number): void {
  charge(currentRequest(), PARSED * bytes);
}

/** Bytes received for storage. @returns nothing, or a promise for when more may follow */
export function paceReceived(bytes: number): Promise<void> | undefined {
  const request = currentRequest();
  if (request?.holder !== undefined) return paceUpload(request.holder, bytes);
  charge(request, UPLOADED * bytes);
  return undefined;
}

const CHARGED = Symbol("the request that is charged");

/** A Node.js response. */
interface Written {
  write: (...args: never[]) => boolean;
  end: (...args: never[]) => unknown;
}

interface Charged {
  [CHARGED]: ReturnType<typeof currentRequest>;
}

/** Bytes of an answer that has not begun, charged as they are written. */
export function chargeWrites(response: Written): void {
  const request = currentRequest();
  if (!request) return;
  Object.assign(response, { [CHARGED]: request, write: charged.write });
  // In HTTP/2, `end` calls `write`.
  if (!("stream" in response)) response.end = charged.end;
}

/** Shared by all answers, of which there may be thousands at the same time. */
const charged = { write: asCharged("write"), end: asCharged("end") };

function asCharged(name: "end" | "write") {
  return function chargeAndCall(this: Charged, ...args: unknown[]): boolean {
    const [chunk] = args;
    if (typeof chunk === "string" || chunk instanceof Uint8Array) charge(this[CHARGED], chunk.length);
    const methods = Object.getPrototypeOf(this) as {
      [name in "end" | "write"]: (...args: unknown[]) => boolean;
    };
    return methods[name].apply(this, args);
  };
}

function charge(request: ReturnType<typeof currentRequest>, bytes: number): void {
  if (request && bytes > 0) chargeBytes(request.holder ?? REFUSED, bytes);
}
