/**
 * Removes the variable parts of a log or stack line: colours, times, ids, addresses, paths.
 *
 *     2026-11-22T10:00:01Z #12 0.345 ERROR: open /srv/app/Dockerfile: no such file   →   ERROR: open Dockerfile: no such file
 *
 * No expression here may visit a character more than a few times, because pasted text can be anything.
 */

// Terminal codes for colours, cursor movements and links.
const TERMINAL =
  // eslint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]{0,20}[@-~]|\][^\u0007\u001b]{0,300}(?:\u0007|\u001b\\)|.)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** The order matters: each pattern leaves less for the next. */
const CHANGING: readonly [pattern: RegExp, instead: string][] = [
  [TERMINAL, ""],
  // 2026-11-22T10:00:01.123Z, 2026/11/22 10:00:01, Nov 22 10:00:01, 10:00:01
  [/\b\d{4}[-/]\d\d[-/]\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, " "],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]?\d (?=\d\d:)/g, " "],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, " "],
  // Prefixes of BuildKit and Compose: "#12 0.345", "[2/5]", "=>", "web-1  |".
  [/(?:^|\s)#\d{1,5}(?: \d{1,6}\.\d{1,6})?(?=\s|$)/g, " "],
  [/\[[^\]\s]{0,40} ?\d{1,4}\/\d{1,4}\]/g, " "],
  [/=>/g, " "],
  [/^\s{0,20}[\w.-]{1,60}-\d{1,4}\s{1,20}\|/g, " "],
  [/\b(?:level|lvl|severity)="?\w{1,20}"?|\b(?:time|ts|timestamp)="[^"]{0,60}"|\bmsg=/gi, " "],
  // Ids: of Millrace, UUIDs, digests, hashes.
  [/\b(?:bld|prj|org|tok|usr|img|run)_[a-z0-9]{4,40}\b/gi, " "],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, " "],
  [/(?:@?\bsha(?:256|512):)?\b(?=[a-f]{0,64}\d)[0-9a-f]{7,128}\b/gi, " "],
  // Lines and columns of files, which look like ports of hosts.
  [
    /(?<=\.(?:[cm]?[jt]sx?|rs|go|py|java|kt|rb|php|cs|c|cc|cpp|h|sh|ya?ml|toml|json|mod)):\d{1,6}(?::\d{1,6})?/gi,
    " ",
  ],
  // Addresses with their paths; hosts alone; then paths, whose last part is often the most informative.
  [/\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'<>)\]]{1,500}/gi, " "],
  [/\[[0-9a-f:]{2,45}\](?::\d{1,5})?/gi, " "],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?:\/\d{1,2})?/g, " "],
  [/\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6}:\d{2,5}\b[^\s"']{0,300}/gi, " "],
  [/(?<![\w.])(?:[a-z]:)?(?:[\\/][\w.@+~-]{1,255}){1,40}[\\/]([\w.@+~-]{1,255})/gi, " $1"],
  [/(?<=\s|^|["'(])\.{1,2}\/(?=\w)/g, " "],
  // Durations, sizes, separate numbers of many digits.
  [/\b\d+(?:\.\d+)?(?:ms|s|m|kB|KB|MB|GB|MiB|GiB|B)\b/g, " "],
  [/\b\d{5,}\b/g, " "],
];

/** Longer lines are dumps; their beginning is enough. */
const MAX_LINE = 2_000;

export function cleanLine(line: string): string {
  let text = line.slice(0, MAX_LINE);
  for (const [pattern, instead] of CHANGING) text = text.replace(pattern, instead);
  return text.replace(/\s+/g, " ").trim();
}
