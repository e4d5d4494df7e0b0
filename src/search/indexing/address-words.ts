/**
 * An address says what a page is about, in words that its author chose and readers see in links:
 *
 *   https://docs.example.com/docs/agents/claude-code.html#limits     name "claude-code"     path "docs agents"
 *
 * The last part is the page's second name, the parts before it where it belongs.
 */
export function addressWords(address: string): { name: string; path: string } {
  const path = address.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  const parts = path
    .split("/")
    .map(decode)
    .filter((part) => part !== "");
  const name = parts.pop() ?? "";
  return { name: name.replace(/\.(?:html?|mdx?|php|aspx?)$/i, ""), path: parts.join(" ") };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray percent sign: as it is.
    return part;
  }
}
