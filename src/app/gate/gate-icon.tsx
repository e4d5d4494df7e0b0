import check from "lucide-static/icons/check.svg?raw";
import chevronDown from "lucide-static/icons/chevron-down.svg?raw";
import circleAlert from "lucide-static/icons/circle-alert.svg?raw";
import fingerprint from "lucide-static/icons/fingerprint.svg?raw";
import info from "lucide-static/icons/info.svg?raw";
import keyRound from "lucide-static/icons/key-round.svg?raw";
import mail from "lucide-static/icons/mail.svg?raw";
import triangleAlert from "lucide-static/icons/triangle-alert.svg?raw";
import { SvgIcon } from "../ui/svg-icon.tsx";

/** Only a few, because every sign-in waits for them; the console has its own. */
const icons = { check, chevronDown, circleAlert, fingerprint, info, keyRound, mail, triangleAlert };

export type GateIconName = keyof typeof icons;

export function GateIcon({ name }: { name: GateIconName }) {
  return <SvgIcon svg={icons[name]} />;
}
