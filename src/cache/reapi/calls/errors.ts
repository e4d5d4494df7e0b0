/** Codes of gRPC for a call's errors. */
import { Code } from "@connectrpc/connect";
import { type RefusalCode, Refused, TooManyRequestsError } from "#accounts/index.ts";
import { UploadError } from "#platform/blobs/upload.ts";
import { NoRoomError } from "#platform/grpc/message-room.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { storageFailureOf } from "#platform/blobs/storage-failure.ts";
import { isLost } from "#platform/blobs/read-blob.ts";

const REFUSALS: Readonly<Record<RefusalCode, Code>> = {
  invalid_argument: Code.InvalidArgument,
  failed_precondition: Code.FailedPrecondition,
  unauthenticated: Code.Unauthenticated,
  permission_denied: Code.PermissionDenied,
  // A build would read it as a missing entry, and report nothing.
  not_found: Code.PermissionDenied,
  already_exists: Code.AlreadyExists,
  resource_exhausted: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
};

/** @returns undefined for unexpected errors */
export function toGrpcError(error: unknown): GrpcError | undefined {
  if (error instanceof GrpcError) return error;
  if (error instanceof Refused) return new GrpcError(REFUSALS[error.code], error.message, { cause: error });
  if (error instanceof TooManyRequestsError)
    return new GrpcError(Code.ResourceExhausted, error.message, { cause: error });
  if (error instanceof NoRoomError)
    return new GrpcError(Code.ResourceExhausted, error.message, { cause: error });
  if (error instanceof UploadError) {
    const code = error.reason === "too large" ? Code.ResourceExhausted : Code.InvalidArgument;
    return new GrpcError(code, error.message, { cause: error });
  }
  if (isLost(error))
    return new GrpcError(Code.NotFound, "the blob was damaged and is gone", { cause: error });
  const failure = storageFailureOf(error);
  if (!failure) return undefined;
  const code = failure.reason === "full" ? Code.ResourceExhausted : Code.Unavailable;
  return new GrpcError(code, failure.message, { cause: error });
}

export const invalid = (message: string) => new GrpcError(Code.InvalidArgument, message);

export const notFound = (what: string) => new GrpcError(Code.NotFound, `${what} is not in the cache`);
