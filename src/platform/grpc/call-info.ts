import type { UploadPace } from "../http/connection.ts";
import type { CallRooms } from "./call-places.ts";

/** What is known of a call before it is read. */
export interface CallInfo {
  path: string;
  /** Of the client; "" if unknown. */
  address: string;
  requestId: string;
  maxMessageBytes: number;
  rooms: CallRooms;
  /** Gives the body the time that an upload needs; see `ConnectionGuard`. Absent without a guard. */
  admitUpload?: (() => UploadPace | null) | undefined;
}

export const answerHeaders = ({ requestId }: CallInfo) => ({
  ":status": 200,
  "content-type": "application/grpc",
  "grpc-accept-encoding": "identity",
  "x-request-id": requestId,
});
