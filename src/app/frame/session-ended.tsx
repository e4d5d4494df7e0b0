import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { noteSignedIn } from "../data/call.ts";
import { whenSignedIn } from "../gate/session-news.ts";
import { Dialog } from "../ui/dialog.tsx";

/** The page below stays unchanged: the sign-in happens in another tab. Nothing can be read without it, so nothing closes it. */
export function SessionEnded() {
  const client = useQueryClient();
  useEffect(
    () =>
      whenSignedIn(() => {
        noteSignedIn();
        void client.invalidateQueries();
      }),
    [client],
  );
  return (
    <Dialog
      title="Your session has ended"
      onClose={() => {}}
      isAlert
      footer={
        <a className="btn action" href="/app/sign-in" target="_blank" rel="noreferrer">
          Sign in
        </a>
      }
    >
      <p>Sign in again in another tab. This page stays as it is and continues automatically.</p>
    </Dialog>
  );
}
