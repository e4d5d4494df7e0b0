/** A link of the navigation tree. */
export interface NavItem {
  /** A page's path, without a trailing slash. */
  to: string;
  /** The label. */
  children: string;
  /** Matched on the exact path only. */
  end?: boolean;
  /** The page is about something that does not run yet; absent where the section says so of all. */
  isPreview?: boolean;
  /** Shown one level deeper while the link is matched. */
  subLinks?: NavItem[];
  /** The HTML contains the sub-links only while the link is matched: there are too many for every page. */
  isOnDemand?: boolean;
}

/** Link → HTML of its branch, for each matched link with on-demand sub-links. */
export interface Branches {
  [to: string]: string;
}

export interface NavSection {
  name: string;
  /** Name of a Lucide icon in the sprite. */
  icon: string;
  /** No page in it is about something that runs. */
  isPreview?: boolean;
  links: NavItem[];
  subSections?: { name: string; links: NavItem[] }[];
}

export interface TreeNavigation {
  top: NavItem[];
  sections: NavSection[];
}
