/** The places of the rail. Later features add theirs. */
import type { IconName } from "../ui/icon.tsx";

export interface Place {
  label: string;
  /** Below `/app/<organization>`; an absolute address begins with a slash. */
  path: string;
  icon: IconName;
  /** After `G`. */
  letter: string;
  inner?: readonly InnerPlace[];
}

export interface InnerPlace {
  label: string;
  path: string;
  ownersOnly?: boolean;
}

export const PLACES: readonly Place[] = [
  { label: "Overview", path: "", icon: "gauge", letter: "O" },
  { label: "Builds", path: "builds", icon: "container", letter: "B" },
  { label: "Projects", path: "projects", icon: "folderGit", letter: "P" },
  { label: "Images", path: "images", icon: "archive", letter: "I" },
  { label: "Cache", path: "cache", icon: "databaseZap", letter: "C" },
  // A branch of Runners, once those exist.
  { label: "Builders", path: "runners/builders", icon: "workflow", letter: "R" },
];

export const PLACES_BELOW: readonly Place[] = [
  { label: "Usage", path: "usage", icon: "chartColumn", letter: "U" },
  {
    label: "Settings",
    path: "settings",
    icon: "settings",
    letter: "S",
    inner: [
      { label: "Members", path: "settings/members" },
      { label: "Tokens", path: "settings/tokens" },
      { label: "Trust relationships", path: "settings/trust" },
      { label: "Audit log", path: "settings/audit", ownersOnly: true },
    ],
  },
];

/** What readers of the documentation do and miss, for operators. */
export const DOCUMENTATION: Place = {
  label: "Documentation",
  path: "/console",
  icon: "bookOpen",
  letter: "D",
  inner: [
    { label: "Overview", path: "/console" },
    { label: "Searches", path: "/console/searches" },
    { label: "Proposals", path: "/console/proposals" },
    { label: "Explain a search", path: "/console/explain" },
    { label: "Pages", path: "/console/pages" },
    { label: "Missing pages", path: "/console/missing" },
    { label: "Errors", path: "/console/errors" },
    { label: "Recordings", path: "/console/recordings" },
    { label: "Surveys", path: "/console/surveys" },
    { label: "Flags", path: "/console/flags" },
    { label: "Ingest health", path: "/console/health" },
  ],
};

/** The address of a place in an organization. */
export const addressOf = (organization: string, path: string): string =>
  path.startsWith("/") ? path : `/app/${encodeURIComponent(organization)}${path && `/${path}`}`;
