import { type FormEvent, lazy, Suspense, useId, useLayoutEffect, useRef, useState } from "react";
import type { RecoveryCodes } from "../../../data/answers.ts";
import { Refusal, sendForm } from "../../../data/ask-server.ts";
import { useAction } from "../../../data/use-action.ts";
import { normalizeTotp, PROOF_WORDS } from "../../../gate/use-proof.ts";
import { CodeField } from "../../../ui/code-field.tsx";
import { CopyIconButton } from "../../../ui/copy-icon-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { FormButtons } from "../../../ui/form-buttons.tsx";
import { useTwoStepChanged } from "./use-two-step-changed.ts";

/** Data for the app. It stays in the screen's state. */
interface NewApp {
  state: string;
  /** Base32. */
  secret: string;
  /** `otpauth://totp/…` */
  uri: string;
}

interface Props {
  onCodes: (codes: RecoveryCodes) => void;
  children: string;
}

/** Loaded separately: without the picture, people can type the key. */
const QrCode = lazy(() =>
  import("./qr-code.tsx").then(
    ({ QrCode: Picture }) => ({ default: Picture }),
    () => ({ default: NoQrCode }),
  ),
);
const NoQrCode = () => <p>The QR code could not be loaded. Type the key into the app.</p>;

/** The button, and the question that it opens. */
export function SetUpApp({ onCodes, children }: Props) {
  const [app, setApp] = useState<NewApp | null>(null);
  const { isBusy, error, run } = useAction();
  const begin = () => void run(async () => setApp(await sendForm<NewApp>("/auth/two-step/totp/begin", {})));
  return (
    <>
      <button className="btn" type="button" aria-busy={isBusy} onClick={begin}>
        {children}
      </button>
      {error && (
        <p className="text-xs text-fail" role="alert">
          {error.message}
        </p>
      )}
      {app && <AppDialog app={app} onCodes={onCodes} onClose={() => setApp(null)} />}
    </>
  );
}

interface DialogProps extends Omit<Props, "children"> {
  app: NewApp;
  onClose: () => void;
}

function AppDialog({ app: { state, secret, uri }, onCodes, onClose }: DialogProps) {
  const form = useId();
  const [code, setCode] = useState("");
  const { isBusy, error, run } = useAction();
  const input = useRef<HTMLInputElement>(null);
  const changed = useTwoStepChanged();
  const isWrong = error instanceof Refusal && error.field === "code";
  // Before the paint: someone who sees the refusal types at once.
  useLayoutEffect(() => {
    if (error) input.current?.select();
  }, [error]);
  const prove = async (event: FormEvent) => {
    event.preventDefault();
    if (code === "") return input.current?.focus();
    const isOn = await run(async () => {
      onCodes(await sendForm<RecoveryCodes>("/auth/two-step/totp", { state, code }));
      await changed();
    });
    if (isOn) onClose();
  };
  return (
    <Dialog
      title="Set up an authenticator app"
      onClose={onClose}
      initialFocus={input}
      footer={
        <FormButtons form={form} isBusy={isBusy} onClose={onClose}>
          Turn it on
        </FormButtons>
      }
    >
      <p>Scan the QR code with the app on your phone, then type the code that the app shows.</p>
      <div className="totp">
        <div className="qr">
          <Suspense fallback={null}>
            <QrCode text={uri} />
          </Suspense>
        </div>
        <Key secret={secret} uri={uri} />
      </div>
      <form id={form} noValidate onSubmit={(event) => void prove(event)}>
        <CodeField
          name="totp"
          label={PROOF_WORDS.totp.label}
          hint="Six digits."
          input={input}
          error={isWrong ? error.message : undefined}
          value={code}
          onChange={(text) => setCode(normalizeTotp(text))}
        />
      </form>
      {error && !isWrong && (
        <p className="note bad" role="alert">
          {error.message}
        </p>
      )}
    </Dialog>
  );
}

/** For apps without a camera, and for the app on this device. */
function Key({ secret, uri }: Pick<NewApp, "secret" | "uri">) {
  return (
    <div className="section">
      <p>Without a camera, type this key:</p>
      <div className="code one">
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it can be selected by keys */}
        <pre tabIndex={0} aria-label="Key">
          <code className="totp-key">
            {(secret.match(/.{1,4}/g) ?? []).map((group, index) => (
              <span key={index}>{group}</span>
            ))}
          </code>
        </pre>
        <CopyIconButton text={secret} label="Copy the key" />
      </div>
      <p>
        Is the app on this device?{" "}
        <a className="link" href={uri}>
          Open it there
        </a>
      </p>
    </div>
  );
}
