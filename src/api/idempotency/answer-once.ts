/**
 * A create with an `Idempotency-Key` makes its object once, however often and on whichever replica it is called.
 *
 *   may the caller create it (still)? ──► no: refused, even if an answer is stored
 *        │ yes
 *   look for a stored answer ──► found: the same request? its answer : aborted
 *        │ none
 *   one transaction: the object, its line in the audit log, the answer ──► committed: the answer
 *        │ it failed: another call with the same key may have been faster (its name is taken now)
 *   look again ──► found: as above.  None: nothing was changed, so the error is answered and not stored
 *
 * The table's key lets one of two such transactions commit. A server that dies before the commit leaves neither object
 * nor answer; after the commit, both.
 */
import { createHash } from "node:crypto";
import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Accounts, askDatabase } from "#accounts/index.ts";
import {
  type AccountTransaction,
  addressOfMethod,
  type Call,
  type Method,
  type Output,
} from "../calls/call.ts";
import { ANSWER_KEPT_MS } from "../calls/limits.ts";
import type { AnswerTables } from "./schema.ts";
import { type AnswerKey, hashKey, seal, unseal } from "./seal.ts";

export interface Create {
  method: Extract<Method, { isPublic: false }>;
  call: Call;
  request: Message;
  credential: string;
  idempotencyKey: string;
}

/** @throws ConnectError `aborted` when the key came with another request before; the errors of the method */
export async function answerOnce({ method, call, request, ...rest }: Create): Promise<Output> {
  const { accounts, actor } = call;
  const { input, output } = method.desc;
  const key: AnswerKey = { ...rest, method: addressOfMethod(method.desc) };
  // The same request in another organization counts as another request.
  const organization = `${actor.organizationId ?? ""}\0`;
  const requestHash = createHash("sha256").update(organization).update(toBinary(input, request)).digest();

  const findAnswer = async () => {
    const sealed = await findSealed(accounts, hashKey(key));
    if (sealed === null) return null;
    const kept = unseal(key, sealed);
    if (requestHash.equals(kept.requestHash)) return fromBinary(output, kept.answer);
    const message =
      "This Idempotency-Key was already sent with a different request. Use one key for one request.";
    throw new ConnectError(message, Code.Aborted);
  };
  const keep = (transaction: AccountTransaction, answer: Output) => {
    const sealed = seal(key, { requestHash, answer: toBinary(output, create(output, answer)) });
    return keepSealed(transaction, { key_hash: hashKey(key), sealed, created_at: accounts.clock() });
  };

  let isAdmitted = false;
  const admitted = async () => {
    isAdmitted = true;
    const before = await findAnswer();
    if (before) throw new KeptAnswer(before);
  };
  try {
    return await method.run({ ...call, keep, admitted }, request);
  } catch (error) {
    if (error instanceof KeptAnswer) return error.answer;
    const meanwhile = isAdmitted ? await findAnswer() : null;
    if (meanwhile) return meanwhile;
    throw error;
  }
}

/** Ends a create that was already done. */
class KeptAnswer extends Error {
  readonly answer: Output;

  constructor(answer: Output) {
    super("The answer was kept.");
    this.answer = answer;
  }
}

async function findSealed({ db, clock }: Accounts, keyHash: string): Promise<string | null> {
  const query = db
    .withTables<AnswerTables>()
    .selectFrom("api_answers")
    .select("sealed")
    .where("key_hash", "=", keyHash)
    .where("created_at", ">", clock() - ANSWER_KEPT_MS);
  const row = await askDatabase(() => query.executeTakeFirst());
  return row?.sealed ?? null;
}

async function keepSealed(transaction: AccountTransaction, row: AnswerTables["api_answers"]): Promise<void> {
  const answers = transaction.withTables<AnswerTables>();
  // An answer that has expired, but is not deleted yet.
  await answers
    .deleteFrom("api_answers")
    .where("key_hash", "=", row.key_hash)
    .where("created_at", "<=", row.created_at - ANSWER_KEPT_MS)
    .execute();
  await answers.insertInto("api_answers").values(row).execute();
}

/** Deletes expired answers. */
export async function deleteOldAnswers({ db, clock }: Accounts): Promise<void> {
  await db
    .withTables<AnswerTables>()
    .deleteFrom("api_answers")
    .where("created_at", "<=", clock() - ANSWER_KEPT_MS)
    .execute();
}
