import { useId } from "react";
import { Mark } from "#ui/mark.tsx";
import type { Membership } from "../data/answers.ts";
import { GateIcon } from "./gate-icon.tsx";

interface Props {
  label: string;
  organizations: readonly Membership[];
  /** The chosen organization's id. */
  chosen: string;
  onChoose: (id: string) => void;
}

/** One of the person's organizations, with their role in it. */
export function OrganizationChoice({ label, organizations, chosen, onChoose }: Props) {
  const id = useId();
  return (
    <div className="input">
      <label htmlFor={id}>{label}</label>
      <div className="select">
        <Mark />
        <select id={id} value={chosen} onChange={(event) => onChoose(event.target.value)}>
          {organizations.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name} ({each.role})
            </option>
          ))}
        </select>
        <GateIcon name="chevronDown" />
      </div>
    </div>
  );
}
