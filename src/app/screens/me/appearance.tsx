import { useState } from "react";
import { useHere } from "../../data/organization.ts";
import { addressOf } from "../../frame/places.ts";
import { Segmented } from "../../ui/segmented.tsx";
import { Link } from "react-router";
import { chooseThemeOrSystem, readThemeChoice, type ThemeChoice } from "./theme-choice.ts";
import { Section, SettingRow } from "./section.tsx";

const THEMES = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

/** Kept in this browser. */
export function Appearance() {
  const { organization } = useHere();
  const [theme, setTheme] = useState<ThemeChoice>(readThemeChoice);
  return (
    <Section title="This browser">
      <SettingRow title="Theme" text="As the system has it, or one of both.">
        <Segmented
          label="Theme"
          options={THEMES}
          value={theme}
          onChange={(choice) => {
            chooseThemeOrSystem(choice);
            setTheme(choice);
          }}
        />
      </SettingRow>
      {organization && (
        <SettingRow title="Your tokens" text="Of the CLI and of programs that act as you.">
          <Link className="btn" to={`${addressOf(organization.name, "settings/tokens")}?type=people`}>
            Show your tokens
          </Link>
        </SettingRow>
      )}
    </Section>
  );
}
