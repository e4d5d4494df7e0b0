/** What can be found and run: one list, built once when the menu opens. */
import type { IconName } from "../../ui/icon.tsx";

export const GROUPS = [
  "This page",
  "Builds",
  "Projects",
  "Images",
  "People",
  "Settings and places",
  "Documentation",
] as const;
export type GroupName = (typeof GROUPS)[number];

export interface Entry {
  /** Unique among all entries; kept with the last five things. */
  key: string;
  group: GroupName;
  label: string;
  icon: IconName;
  /** Grey, at the right: a role, a kind. */
  note?: string;
  /** `prj_…`: matches from its first four characters. */
  id?: string;
  /** Other words that find it. */
  words?: string;
  to?: string;
  run?: () => void;
  shortcut?: string;
  /** The same for the command line. */
  command?: string;
  /** Beside opening it: "Open settings". */
  more?: readonly { label: string; icon: IconName; to: string }[];
  /** Does something, instead of showing something: what `>` finds. */
  isCommand?: boolean;
}
