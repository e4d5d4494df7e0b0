/** A link of the navigation tree. */
export interface NavItem {
  /** A page's path, without a trailing slash. */
  to: string;
  /** The label. */
  children: string;
  /** Matched on the exact path only. */
  end?: boolean;
  /** Shown one level deeper while the link is matched. */
  subLinks?: NavItem[];
  /** The sub-links are in the HTML only while the link is matched: they are too many to be in that of every page. */
  isOnDemand?: boolean;
}

/** Link → HTML of its branch, for the links with sub-links on demand that a page matches. */
export interface Branches {
  [to: string]: string;
}

export interface NavSection {
  name: string;
  /** Name of a Lucide icon that is in the sprite. */
  icon: string;
  /** The part of the service that the section documents does not run yet. */
  isPreview?: boolean;
  links: NavItem[];
  subSections?: { name: string; links: NavItem[] }[];
}

export interface TreeNavigation {
  top: NavItem[];
  sections: NavSection[];
}
