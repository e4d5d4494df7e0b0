import { useState, useSyncExternalStore } from "react";
import { Link } from "react-router";
import { useHere } from "../../data/organization.ts";
import { CTRL } from "../../ui/keys/ctrl-key.ts";
import { readKeysOff, setKeysOff, watchKeysOff } from "../../ui/keys/keys-off.ts";
import { addressOf } from "../../page/places.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { chooseThemeOrSystem, readThemeChoice, type ThemeChoice } from "./theme-choice.ts";
import { Section, SectionRow } from "./section.tsx";

const KEYS = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
] as const;

const THEMES = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

/** Stored in this browser. */
export function Appearance() {
  const { organization } = useHere();
  const [theme, setTheme] = useState<ThemeChoice>(readThemeChoice);
  const isKeysOff = useSyncExternalStore(watchKeysOff, readKeysOff);
  return (
    <Section title="This browser">
      <SectionRow title="Theme" text="Follow the system, or always light or dark.">
        <Segmented
          label="Theme"
          options={THEMES}
          value={theme}
          onChange={(choice) => {
            chooseThemeOrSystem(choice);
            setTheme(choice);
          }}
        />
      </SectionRow>
      <SectionRow
        title="Single keys"
        text={`N, G, J and other keys act without ${CTRL}. Turn them off if you use speech input: it can press them by accident.`}
      >
        <Segmented
          label="Single keys"
          options={KEYS}
          value={isKeysOff ? "off" : "on"}
          onChange={(choice) => setKeysOff(choice === "off")}
        />
      </SectionRow>
      {organization && (
        <SectionRow title="Your tokens" text="For the CLI and for programs that act as you.">
          <Link className="btn" to={`${addressOf(organization.name, "settings/tokens")}?show=people`}>
            Show your tokens
          </Link>
        </SectionRow>
      )}
    </Section>
  );
}
