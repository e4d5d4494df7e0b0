import { useState } from "react";
import { sendForm } from "../gate/ask-server.ts";
import { WorkButton } from "../gate/form.tsx";
import { Name, Note } from "../gate/gate.tsx";
import { createPasskey, hasPasskeys } from "../gate/passkey.ts";
import { useWork } from "../gate/use-work.ts";
import { WorkFailure } from "../gate/work-failure.tsx";

/** Another device, or the first one of somebody who came by a link. */
export function AddPasskey({ onAdded }: { onAdded: () => void }) {
  const work = useWork();
  const [added, setAdded] = useState<string | null>(null);
  if (!hasPasskeys())
    return (
      <p className="fine">Browsers have passkeys on https and on localhost only: none can be added here.</p>
    );
  const add = () =>
    void work.run("passkey", async () => {
      const passkey = await createPasskey({ for: "add" });
      const { name } = await sendForm<{ name: string }>("/auth/passkey", {
        ...passkey,
        name: nameOfBrowser(),
      });
      setAdded(name);
      onAdded();
    });
  return (
    <>
      <WorkFailure work={work} title="No passkey was added." />
      {added !== null && (
        <output className="stack">
          <Note kind="ok" title="You can sign in with it from now on.">
            It is called “<Name>{added}</Name>”.
          </Note>
        </output>
      )}
      <WorkButton work={work} name="passkey" icon="fingerprint" onPress={add}>
        Add a passkey
      </WorkButton>
    </>
  );
}

/** Says later which device it was: "Chrome on macOS". */
function nameOfBrowser(): string {
  const agent = navigator.userAgent;
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((name) => agent.includes(`${name}/`));
  const system = ["Android", "iPhone", "iPad", "Mac OS X", "Windows", "Linux"].find((name) =>
    agent.includes(name),
  );
  const words: { [name: string]: string } = { Edg: "Edge", "Mac OS X": "macOS" };
  return [browser, system].map((name) => words[name ?? ""] ?? name ?? "a browser").join(" on ");
}
