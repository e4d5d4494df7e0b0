import { useState } from "react";
import { sendForm } from "../gate/ask-server.ts";
import { formatTime } from "../gate/times.ts";
import { useAsked } from "../gate/use-work.ts";
import { AddPasskey } from "./add-passkey.tsx";
import { type OwnItem, OwnList } from "./own-list.tsx";

/** As AccountService answers; what is empty is left out. */
interface Passkeys {
  passkeys?: { id: string; name: string; created_at: string; last_used_at?: string }[];
}
interface SignIns {
  sign_ins?: { id: string; browser: string; address: string; last_used_at: string; is_current?: boolean }[];
}

/** Of each list: nobody has more passkeys or browsers. */
const PAGE = { page_size: 100 };

const ask = <T extends object>(method: string, body: object) =>
  sendForm<T>(`/api/millrace.v1.AccountService/${method}`, body);

/** A list that is read again after each change. */
function useOwn(read: () => Promise<OwnItem[]>) {
  const [round, setRound] = useState(0);
  const [asked] = useAsked(String(round), read);
  return { asked, change: () => setRound((count) => count + 1) };
}

export function YourPasskeys() {
  const { asked, change } = useOwn(readPasskeys);
  return (
    <OwnList
      title="Passkeys"
      none="None yet. With one you sign in without a link."
      asked={asked}
      verb="Delete"
      onEnd={async ({ id }) => {
        await ask("DeletePasskey", { passkey_id: id });
        change();
      }}
    >
      <AddPasskey onAdded={change} />
    </OwnList>
  );
}

async function readPasskeys(): Promise<OwnItem[]> {
  const { passkeys = [] } = await ask<Passkeys>("ListPasskeys", PAGE);
  return passkeys.map(({ id, name, created_at: at, last_used_at: used }) => ({
    id,
    name,
    detail: used ? `last used ${formatTime(used)}` : `added ${formatTime(at)}`,
  }));
}

export function YourSignIns() {
  const { asked, change } = useOwn(readSignIns);
  return (
    <OwnList
      title="Signed in"
      none="Nowhere."
      asked={asked}
      verb="End"
      onEnd={async ({ id }) => {
        await ask("EndSignIn", { sign_in_id: id });
        change();
      }}
    />
  );
}

async function readSignIns(): Promise<OwnItem[]> {
  const { sign_ins: signIns = [] } = await ask<SignIns>("ListSignIns", PAGE);
  return signIns.map(({ id, browser, address, last_used_at: used, is_current: isCurrent = false }) => ({
    id,
    name: browser || "A browser",
    detail: `from ${address}, ${formatTime(used)}`,
    isCurrent,
  }));
}
