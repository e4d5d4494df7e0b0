/** One call, as the methods see it, and the type of the table of all methods. */
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

/** A transaction of the accounts' database. */
export type AccountTransaction = Parameters<NonNullable<Caller["record"]>>[0];

/** The values from which the message of a method's `output` is made. */
export type Output = MessageInitShape<DescMessage>;

export interface Call {
  accounts: Accounts;
  /** Absent on a server without builds. */
  builds?: Builds;
  /** Absent on a server without a cache. */
  cache?: Cache;
  /** Absent on a server without a registry. */
  images?: Images;
  /** Absent on a server that pulls nothing through. */
  mirrors?: Mirrors;
  actor: Actor;
  /** The client's address, for the audit log. */
  address: string;
  /** With an `Idempotency-Key`: stores the answer, in the transaction that creates the object. */
  keep?: (transaction: AccountTransaction, output: Output) => Promise<void>;
  /** With an `Idempotency-Key`: throws the stored answer, once the caller may have it. */
  admitted?: () => Promise<void>;
}

/** A call without a token, to a method that needs none. */
export type PublicCall = Pick<Call, "accounts" | "address">;

/** `run` takes the message of `desc.input` and answers that of `desc.output`; `stream` answers several. */
export type Method = { desc: DescMethod } & (
  | { isPublic: true; run: (call: PublicCall, request: Message) => Promise<Output> }
  | {
      isPublic: false;
      isCreate: boolean;
      /** It revokes, ends or deletes: it works on a full disk. */
      isUrgent: boolean;
      /** Whether a browser's person has to confirm first that it is them. */
      isGuarded: (request: Message) => boolean;
      run: (call: Call, request: Message) => Promise<Output>;
      stream?: StreamMethod;
    }
);

/** @param signal aborts when the client has left */
export type StreamMethod = (call: Call, request: Message, signal: AbortSignal) => AsyncIterable<Output>;

/** By address without a prefix (`/millrace.v1.ProjectService/List`). */
export type MethodTable = Map<string, Method>;

/** A function for each method of a service. */
export type ServiceMethods<Service extends DescService> = {
  [Name in keyof Service["method"]]: Implementation<Service["method"][Name], Call>;
};

/** The function for one method. */
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

/** Creates something, and stores the answer if the caller may ask again. */
export async function createKept<Created, Kept extends Output>(
  { actor, address, keep, admitted }: Call,
  create: (caller: Caller) => Promise<Created>,
  toOutput: (created: Created) => Kept,
): Promise<Kept> {
  // `record` gets the result of `create`.
  const record: Caller["record"] =
    keep && ((transaction, created) => keep(transaction, toOutput(created as Created)));
  return toOutput(await create({ actor, address, ...(record && { record }), ...(admitted && { admitted }) }));
}
