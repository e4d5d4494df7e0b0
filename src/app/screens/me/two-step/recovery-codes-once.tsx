import { useEffect, useRef, useState } from "react";
import { useHere } from "../../../data/organization.ts";
import { CopyIconButton } from "../../../ui/copy-icon-button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useLeaveQuestion } from "../../../ui/leaving/leave-question.tsx";
import { saveFile } from "../../../ui/save-file.ts";

interface Props {
  codes: readonly string[];
  onDone: () => void;
}

/** Shown until "I have kept them". Leaving before they are copied or saved asks once. */
export function RecoveryCodesOnce({ codes, onDone }: Props) {
  const { state, user } = useHere();
  const [isKept, setIsKept] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useLeaveQuestion(!isKept, {
    title: "Leave without the recovery codes?",
    text: "They have not been copied and cannot be shown again. You would have to make new codes.",
    stay: "Stay here",
    leave: "Leave without them",
  });
  const text = codes.join("\n");
  const save = () => {
    const head = `Recovery codes of ${user.name} for ${__SITE_NAME__} at ${state.host}. Each works once.`;
    saveFile(new Blob([`${head}\n\n${text}\n`], { type: "text/plain;charset=utf-8" }), "recovery-codes.txt");
    setIsKept(true);
  };
  return (
    <div className="recovery-codes panel-body section">
      <h3 ref={heading} tabIndex={-1}>
        Keep these recovery codes: this is the only time that they are shown
      </h3>
      <p className="text-xs muted">
        Each code works once as the second step, if you lose the app or the passkey. Keep them where you will
        find them without your phone.
      </p>
      <ol onCopy={() => setIsKept(true)}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="row wrap">
        <CopyIconButton text={text} label="Copy the recovery codes" onCopied={() => setIsKept(true)}>
          Copy
        </CopyIconButton>
        <button className="btn" type="button" aria-label="Download the recovery codes" onClick={save}>
          <Icon name="download" />
          Download
        </button>
        <button className="btn action end" type="button" onClick={onDone}>
          I have kept them
        </button>
      </div>
    </div>
  );
}
