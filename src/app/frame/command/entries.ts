/** Everything that can be found and run: one list, built once when the menu opens. */
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
  /** Unique among all entries; stored with the last five opened ones. */
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
  /** The command line's equivalent. */
  command?: string;
  /** Alternatives to opening it: "Open settings". */
  more?: readonly { label: string; icon: IconName; to: string }[];
  /** It does something instead of showing something: `>` finds it. */
  isCommand?: boolean;
}
