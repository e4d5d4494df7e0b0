/** One call, as the methods see it, and the table of all methods. */
import type {
  DescMessage,
  DescMethod,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  Message,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import type { Accounts, Actor, Caller } from "#accounts/index.ts";
import type { Builds } from "#builds/index.ts";
import type { Cache } from "#cache/index.ts";
import type { Images, Mirrors } from "#registry/index.ts";

/** Of the accounts' database. */
export type AccountTransaction = Parameters<NonNullable<Caller["record"]>>[0];

/** What makes the message of a method's `output`. */
export type Output = MessageInitShape<DescMessage>;

export interface Call {
  accounts: Accounts;
  /** Absent on a server without them. */
  builds?: Builds;
  /** The same of the cache. */
  cache?: Cache;
  /** The same of the registry. */
  images?: Images;
  /** Absent where nothing is pulled through. */
  mirrors?: Mirrors;
  actor: Actor;
  /** The client's, for the audit log. */
  address: string;
  /** With an `Idempotency-Key`: keeps the answer, in the transaction that creates the object. */
  keep?: (transaction: AccountTransaction, output: Output) => Promise<void>;
  /** With an `Idempotency-Key`: throws the answer that was kept, once the caller may have it. */
  admitted?: () => Promise<void>;
}

/** A call that came without a token to a method that needs none. */
export type PublicCall = Pick<Call, "accounts" | "address">;

/** `run` takes the message of `desc.input` and answers that of `desc.output`; `stream` answers several. */
export type Method = { desc: DescMethod } & (
  | { isPublic: true; run: (call: PublicCall, request: Message) => Promise<Output> }
  | {
      isPublic: false;
      isCreate: boolean;
      /** It revokes, ends or deletes: on a full disk, too. */
      isUrgent: boolean;
      /** Whether a browser's person has to confirm first that it is them. */
      isGuarded: (request: Message) => boolean;
      run: (call: Call, request: Message) => Promise<Output>;
      stream?: StreamMethod;
    }
);

/** @param signal aborts when the client has gone */
export type StreamMethod = (call: Call, request: Message, signal: AbortSignal) => AsyncIterable<Output>;

/** From the address without a prefix (`/millrace.v1.ProjectService/List`). */
export type MethodTable = Map<string, Method>;

/** A function for each method of a service. */
export type ServiceMethods<Service extends DescService> = {
  [Name in keyof Service["method"]]: Implementation<Service["method"][Name], Call>;
};

/** The same for one method. */
export type Implementation<Desc, CallKind> =
  Desc extends DescMethodUnary<infer Input, infer Output>
    ? (call: CallKind, request: MessageShape<Input>) => Promise<MessageInitShape<Output>>
    : Desc extends DescMethodServerStreaming<infer Input, infer Output>
      ? (
          call: CallKind,
          request: MessageShape<Input>,
          signal: AbortSignal,
        ) => AsyncIterable<MessageInitShape<Output>>
      : never;

export const addressOfMethod = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`;

/** Creates something and keeps the answer if the caller may ask again. */
export async function createKept<Created, Kept extends Output>(
  { actor, address, keep, admitted }: Call,
  create: (caller: Caller) => Promise<Created>,
  toOutput: (created: Created) => Kept,
): Promise<Kept> {
  // What `create` answers is what it gives to `record`.
  const record: Caller["record"] =
    keep && ((transaction, created) => keep(transaction, toOutput(created as Created)));
  return toOutput(await create({ actor, address, ...(record && { record }), ...(admitted && { admitted }) }));
}
