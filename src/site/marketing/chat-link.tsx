import { siteConfig } from "#config";

const written = () =>
  typeof document === "undefined" ? "" : (document.querySelector("[data-online]")?.innerHTML ?? "");

/**
 * The place for the number of people online. The server writes a known number into the page
 * (`.server/community-count.ts` finds this element); React keeps the document's content.
 */
export function OnlineCount() {
  return (
    <span
      className="chat-n"
      data-online=""
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: written() }}
    />
  );
}

const CLASS_NAMES = { header: "quiet chat-head", menu: "chat-menu", band: "chat" };

/** The community's chat, if `site.config.ts` names one: in the header, in the phone's menu, in the band of the home page. */
export function ChatLink({ place }: { place: keyof typeof CLASS_NAMES }) {
  const { community } = siteConfig;
  if (!community) return null;
  return (
    <a className={CLASS_NAMES[place]} href={community.link}>
      <span>{community.label}</span>
      <OnlineCount />
    </a>
  );
}
