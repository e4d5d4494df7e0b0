import type { AuthState, SignedInUser } from "../data/answers.ts";
import { Gate, Heading, Name, Note } from "./gate.tsx";

/** Elements around all pages of a device's login. */
export interface DeviceFrame {
  state: AuthState;
  user: SignedInUser;
  links: readonly { href: string; label: string }[];
}

export interface DeviceOutcome {
  verdict: "approve" | "deny";
  machine: string;
  /** The organization's name. */
  organization: string;
}

interface Props {
  frame: DeviceFrame;
  outcome: DeviceOutcome;
  onOtherCode: () => void;
}

export function DeviceDone({ frame, outcome: { verdict, machine, organization }, onOtherCode }: Props) {
  if (verdict === "approve")
    return (
      <Gate {...frame} width="wide">
        <Heading title={`${machine} is logged in`}>
          <Name>{machine}</Name> is logged in
        </Heading>
        <Note kind="ok" title="Go back to the terminal.">
          It acts as you in {organization}. You can close this page.
        </Note>
        <p className="fine">
          <code>millrace logout</code> on that machine logs it out.
        </p>
      </Gate>
    );
  return (
    <Gate {...frame} width="wide">
      <Heading title="The login was denied" />
      <Note kind="ok" title="The code is no longer valid.">
        The machine that requested it gets no access. If someone sent you that code, tell the owners of your
        organization.
      </Note>
      <button className="btn btn-line btn-big" type="button" onClick={onOtherCode}>
        Type another code
      </button>
    </Gate>
  );
}
