import type { Choice } from "#telemetry/browser/choice.ts";

interface ChoiceSwitchesProps {
  choice: Choice;
  onChange: (choice: Choice) => void;
  /** The choices that the operator has switched on; no others are shown. */
  offered: Choice;
  /** Whether the browser sends a signal that means no. The switches show this and cannot be moved. */
  isRefused: boolean;
}

/** The three choices. */
export function ChoiceSwitches({ choice, onChange, offered, isRefused }: ChoiceSwitchesProps) {
  return (
    <fieldset className="choices">
      <legend className="vh">Privacy choices</legend>
      <ChoiceSwitch
        name="Necessary"
        text="Your theme and this choice, in this browser. Pages and search words, counted by day without any other data. Error reports that contain nothing about you."
        isOn
      />
      {offered.analytics && (
        <ChoiceSwitch
          name="Analytics"
          text="Pages, searches and clicks, under a random number that this browser stores. Now and then a question."
          isOn={choice.analytics}
          {...(!isRefused && { onChange: (analytics) => onChange({ ...choice, analytics }) })}
        />
      )}
      {offered.recording && (
        <ChoiceSwitch
          name="Recording"
          text="How a page looks and how you move through it. Everything you type is hidden before it leaves the browser."
          isOn={choice.recording}
          {...(!isRefused && { onChange: (recording) => onChange({ ...choice, recording }) })}
        />
      )}
    </fieldset>
  );
}

interface ChoiceSwitchProps {
  name: string;
  text: string;
  isOn: boolean;
  /** Without it the switch cannot be moved. */
  onChange?: (isOn: boolean) => void;
}

function ChoiceSwitch({ name, text, isOn, onChange }: ChoiceSwitchProps) {
  const id = `choice-${name.toLowerCase()}`;
  return (
    <div className="choice">
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        aria-describedby={`${id}-text`}
        checked={isOn}
        disabled={!onChange}
        onChange={(event) => onChange?.(event.target.checked)}
      />
      <p id={`${id}-text`}>{text}</p>
    </div>
  );
}
