import { useCallback, useEffect, useRef, useState } from "react";
import { announce } from "#ui/announce.ts";
import type { SentMail } from "../data/answers.ts";
import { Refusal, sendForm } from "../data/ask-server.ts";
import { safeNext, wantedNext } from "./next-page.ts";

/** Requests of others for the same address make the work harder in the meantime. */
const MAX_ROUNDS = 3;

export interface LinkSender {
  /** Strangers get the same answer, so that no one learns who has an account. @throws Refusal */
  send: (mail: string) => Promise<SentMail>;
  /** From 0 to 1, while the browser does the work that the server requires under load; else null. */
  progress: number | null;
}

/** Leaving the page ends the work. */
export function useLinkSender(): LinkSender {
  const [progress, setProgress] = useState<number | null>(null);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const abort = new AbortController();
    leaving.current = abort;
    return () => abort.abort();
  }, []);
  const send = useCallback(async (mail: string) => {
    try {
      return await sendWithWork(mail, leaving.current.signal, (share) =>
        // A hundred steps, instead of a rendering for each slice of the work.
        setProgress(Math.floor(share * 100) / 100),
      );
    } finally {
      setProgress(null);
    }
  }, []);
  return { send, progress };
}

async function sendWithWork(
  mail: string,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<SentMail> {
  const next = wantedNext();
  const body = { mail, ...(next !== null && { next: safeNext(next, location.origin) }) };
  let headers = {};
  for (let round = 0; ; round += 1)
    try {
      return await sendForm<SentMail>("/auth/mail", body, headers);
    } catch (error) {
      if (!(error instanceof Refusal) || error.work === undefined || round === MAX_ROUNDS) throw error;
      if (round === 0) announce("Checking your browser. This takes a few seconds.");
      onProgress(0);
      const { solveWork } = await import("#platform/text/solve-work.ts");
      headers = { "Millrace-Work": await solveWork(error.work, { signal, onProgress }) };
    }
}
