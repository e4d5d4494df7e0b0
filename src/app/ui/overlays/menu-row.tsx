import { Menu } from "@base-ui/react/menu";
import { AppLink } from "../app-link.tsx";
import { Icon } from "../icon.tsx";
import type { MenuItem } from "./overlay-types.ts";

/** Below the start of its button; shifted to where there is room. */
export const PLACEMENT = {
  // It is outside of the page's landmarks, and must be in one.
  role: "region",
  className: "menu-positioner",
  align: "start",
  sideOffset: 4,
  collisionPadding: 8,
  collisionAvoidance: { side: "flip", align: "shift" },
} as const;

export function MenuRow({ item }: { item: MenuItem }) {
  const { label, icon, to, run, note, isDanger, isChosen, startsGroup } = item;
  const text = textOf(item);
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      <span className="clip">{label}</span>
      {note && <span className="end subtle text-2xs">{note}</span>}
      {isChosen !== undefined && (
        <span className={note ? "tick-mark" : "tick-mark end"}>
          {isChosen && <Icon name="check" className="small" />}
        </span>
      )}
    </>
  );
  const className = isDanger ? "text-fail" : undefined;
  return (
    <>
      {startsGroup && <Menu.Separator render={<hr />} />}
      {to === undefined ? (
        <Menu.Item label={text} className={className} onClick={run} {...choiceOf(isChosen)}>
          {inside}
        </Menu.Item>
      ) : (
        <Menu.LinkItem
          label={text}
          className={className}
          closeOnClick
          aria-current={isChosen || undefined}
          render={<AppLink to={to} />}
          onClick={run}
        >
          {inside}
        </Menu.LinkItem>
      )}
    </>
  );
}

function choiceOf(isChosen: boolean | undefined) {
  return isChosen === undefined ? {} : { role: "menuitemradio", "aria-checked": isChosen };
}

export const textOf = ({ text, label }: MenuItem) => text ?? (typeof label === "string" ? label : "");
