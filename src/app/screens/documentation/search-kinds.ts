/** The three lists of searches, each with the change that fits it. */
export const SEARCH_KINDS = [
  {
    key: "top",
    label: "Top",
    caption: "The most frequent searches",
    about: "What readers look for most. A relevance test keeps the right page on top.",
    action: "Make a test",
    emptyTitle: "No searches in this range",
    emptyText:
      "Every search of the documentation is counted by day, a few seconds after the last keystroke, without any other data. Search for the same words three times to see them here.",
    setting: "",
  },
  {
    key: "no-hits",
    label: "No hits",
    caption: "Searches that found nothing",
    about:
      "Readers' words that the documentation does not contain. A synonym leads them to words that it does.",
    action: "Add a synonym",
    emptyTitle: "Every search found something",
    emptyText: "Words that find nothing appear here after three searches. There is nothing to turn on.",
    setting: "",
  },
  {
    key: "no-clicks",
    label: "No clicks",
    caption: "Searches whose hits no one opened",
    about: "There were hits, but none was what the reader meant. A redirect puts the right page first.",
    action: "Add a redirect",
    emptyTitle: "No search without a click",
    emptyText:
      "Clicks are recorded only for readers who agreed to analytics. Their searches that end without opening a hit appear here.",
    setting: "telemetry.analytics: true",
  },
] as const;

export type SearchKind = (typeof SEARCH_KINDS)[number];
