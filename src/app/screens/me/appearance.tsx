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

/** Kept in this browser. */
export function Appearance() {
  const { organization } = useHere();
  const [theme, setTheme] = useState<ThemeChoice>(readThemeChoice);
  const isKeysOff = useSyncExternalStore(watchKeysOff, readKeysOff);
  return (
    <Section title="This browser">
      <SectionRow title="Theme" text="As the system has it, or one of both.">
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
        text={`N, G, J and others act without ${CTRL}. Off, who speaks to the computer presses none by accident.`}
      >
        <Segmented
          label="Single keys"
          options={KEYS}
          value={isKeysOff ? "off" : "on"}
          onChange={(choice) => setKeysOff(choice === "off")}
        />
      </SectionRow>
      {organization && (
        <SectionRow title="Your tokens" text="Of the CLI and of programs that act as you.">
          <Link className="btn" to={`${addressOf(organization.name, "settings/tokens")}?show=people`}>
            Show your tokens
          </Link>
        </SectionRow>
      )}
    </Section>
  );
}
