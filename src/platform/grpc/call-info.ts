import type { UploadPace } from "../http/connections/connection.ts";
import type { CallRooms } from "./call-places.ts";

/** What is known about a call before it is read. */
export interface CallInfo {
  path: string;
  /** The client's address; "" if unknown. */
  address: string;
  requestId: string;
  maxMessageBytes: number;
  rooms: CallRooms;
  /** Allows the body the time of an upload; see `ConnectionGuard`. Absent without a guard. */
  admitUpload?: (() => UploadPace | null) | undefined;
}

export const answerHeaders = ({ requestId }: CallInfo) => ({
  ":status": 200,
  "content-type": "application/grpc",
  "grpc-accept-encoding": "identity",
  "x-request-id": requestId,
});
