import type { RecoveryCodes } from "../../../data/answers.ts";
import { sendForm } from "../../../data/ask-server.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { useTwoStepChanged } from "./use-two-step-changed.ts";

export type TwoStepDeed = "off" | "codes";

interface Props {
  deed: TwoStepDeed;
  onCodes: (codes: RecoveryCodes) => void;
  onClose: () => void;
}

export function TwoStepQuestion({ deed, onCodes, onClose }: Props) {
  const changed = useTwoStepChanged();
  if (deed === "codes")
    return (
      <ConfirmDialog
        title="Make new recovery codes?"
        confirm="Make new codes"
        cancel="Keep the old ones"
        onConfirm={async () => {
          onCodes(await sendForm<RecoveryCodes>("/auth/two-step/recovery-codes", {}));
          await changed();
        }}
        onClose={onClose}
      >
        <p>The old codes stop working immediately. The new codes are shown only once.</p>
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      title="Turn off two-step sign-in?"
      confirm="Turn it off"
      cancel="Keep it on"
      onConfirm={async () => {
        await sendForm("/auth/two-step/off", {});
        onCodes({ recoveryCodes: [] });
        await changed();
      }}
      onClose={onClose}
    >
      <p>
        One step is then enough: anyone who reads your mail, or has your account at a provider, can sign in as
        you. Your app is forgotten and the recovery codes stop working. Your passkeys stay.
      </p>
    </ConfirmDialog>
  );
}
