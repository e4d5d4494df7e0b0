/** Confirming an identity once more: after a sign-in's first step, and before dangerous acts. Pages and dialogs draw it. */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Refusal, sendForm } from "../data/ask-server.ts";
import { hasPasskeys, provePasskey } from "./passkey.ts";
import { useWork, type Work } from "./use-work.ts";

export type ProofField = "totp" | "recovery";

/** The server's answer about the available ways. */
export interface ProofQuestion {
  /** The person's name, during a sign-in. */
  name?: string;
  ways: readonly (ProofField | "passkey")[];
}

export const PROOF_WORDS = {
  totp: {
    label: "Code from your app",
    hint: "The six digits that your authenticator app shows now.",
    change: "Use a code from your app",
  },
  recovery: { label: "Recovery code", hint: "Each code works once.", change: "Use a recovery code" },
};

/** For a signed-in person's identity question. With passkeys only, a person signs in in one step or in two. */
export const lostAllOf = ({ ways }: ProofQuestion) =>
  ways.includes("totp") || ways.includes("recovery")
    ? "Lost all of them? An owner of all your organizations, or whoever runs this server, can turn two-step sign-in off for you. Then sign out and sign in again, which also confirms that it is you."
    : "Lost all of them? Sign out and sign in another way, which also confirms that it is you. If two-step sign-in is on, an owner of all your organizations, or whoever runs this server, must turn it off first.";

interface Input<Answer> {
  question: ProofQuestion;
  /** `/auth/second-step` or `/auth/confirm`; its passkey challenge is at `/options` below it. */
  path: string;
  /** Sent with each proof. */
  body?: object;
  /** Leaves the page, or changes it. */
  onProved: (answer: Answer) => void;
}

export interface ProofForm {
  work: Work;
  /** Null: no field, because a passkey is requested first. */
  field: ProofField | null;
  input: RefObject<HTMLInputElement | null>;
  text: string;
  onText: (text: string) => void;
  submit: () => void;
  /** Alternative fields. */
  others: readonly ProofField[];
  choose: (field: ProofField) => void;
  /** Absent: the person has none, or this browser does not support them. */
  usePasskey: (() => void) | undefined;
  /** The unfinished sign-in, or the session, has ended. */
  isOver: boolean;
  /** The code's error; all other errors are in `work`. */
  error: string | undefined;
}

const FIELDS = ["totp", "recovery"] as const;
const CODE_LENGTH = 6;

/** Typed or pasted text: `123 456` is `123456`. */
export const normalizeTotp = (text: string) => text.replaceAll(/\D/g, "").slice(0, CODE_LENGTH);

export function useProof<Answer>({ question, path, body, onProved }: Input<Answer>): ProofForm {
  const fields = FIELDS.filter((way) => question.ways.includes(way));
  const canPasskey = question.ways.includes("passkey") && hasPasskeys();
  const [chosen, setChosen] = useState<ProofField | null>(null);
  const field = chosen ?? (canPasskey && fields[0] !== "totp" ? null : (fields[0] ?? null));
  const [text, setText] = useState("");
  const work = useWork();
  const error = messageAtField(work.failure);
  const input = useFocusedInput(field, error === undefined ? null : work.failure);
  const judged = useRef("");
  // The next page is still loading: a used code cannot be used again.
  const isProved = useRef(false);
  const asking = useRef({ abort: new AbortController(), end: Promise.resolve() });

  const send = async (name: string, prove: () => Promise<object>) => {
    if (isProved.current) return;
    await work.run(name, async () => {
      const answer = await sendForm<Answer>(path, { ...(await prove()), ...body });
      isProved.current = true;
      onProved(answer);
    });
  };
  const usePasskey = () => {
    if (work.busy !== null) return;
    const abort = new AbortController();
    const prove = async () => ({ passkey: await provePasskey(`${path}/options`, abort.signal) });
    asking.current = { abort, end: send("passkey", prove) };
  };
  const sendText = async (code: string) => {
    // A refused code would be refused again, and each try counts.
    if (code === "" || (error !== undefined && judged.current === code)) return input.current?.focus();
    if (work.busy === "code") return undefined;
    // Typing a code cancels the browser's waiting passkey prompt.
    asking.current.abort.abort();
    await asking.current.end;
    judged.current = code;
    return send("code", async () => (field === "totp" ? { code } : { recoveryCode: code }));
  };
  return {
    work,
    field,
    input,
    text,
    error,
    isOver: work.failure?.code === "unauthenticated",
    onText(next) {
      const code = field === "totp" ? normalizeTotp(next) : next;
      setText(code);
      if (field === "totp" && code.length === CODE_LENGTH && code !== text) void sendText(code);
    },
    submit: () => void sendText(text.trim()),
    others: fields.filter((each) => each !== field),
    choose(next) {
      setChosen(next);
      setText("");
      work.refuse(null);
    },
    usePasskey: canPasskey ? usePasskey : undefined,
  };
}

const messageAtField = (failure: Refusal | null) =>
  failure?.field === "code" || failure?.field === "recoveryCode" ? failure.message : undefined;

/** The field takes the focus when it appears; a refused code is selected, so that typing replaces it. */
function useFocusedInput(field: ProofField | null, refusal: Refusal | null) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field !== null) input.current?.focus();
  }, [field]);
  // Before the paint: someone who sees the refusal types at once.
  useLayoutEffect(() => {
    if (refusal) input.current?.select();
  }, [refusal]);
  return input;
}
