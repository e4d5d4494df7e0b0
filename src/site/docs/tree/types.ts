/** A link of the navigation tree. */
export interface NavItem {
  /** A page's path, without a trailing slash. */
  to: string;
  /** The label. */
  children: string;
  /** The label's language, if it is not the document's. */
  lang?: string;
  /** Matched on the exact path only. */
  end?: boolean;
  /** Whether the page's part does not run yet; absent if the whole section is marked. */
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
  /** Whether all its pages are previews. */
  isPreview?: boolean;
  links: NavItem[];
  subSections?: { name: string; links: NavItem[] }[];
}

export interface TreeNavigation {
  top: NavItem[];
  sections: NavSection[];
}
