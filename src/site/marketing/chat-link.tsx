import { siteConfig } from "#config";

const written = () =>
  typeof document === "undefined" ? "" : (document.querySelector("[data-online]")?.innerHTML ?? "");

/**
 * The place for the number of those online. The server writes it into the page when it knows one
 * (`.server/community-count.ts` finds this very element); React keeps what is in the document.
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

const classNames = { header: "quiet chat-head", menu: "chat-menu", band: "chat" };

/** The community's chat, where `site.config.ts` names one: in the header, in the phone's menu, in the band of the home page. */
export function ChatLink({ place }: { place: keyof typeof classNames }) {
  const { community } = siteConfig;
  if (!community) return null;
  return (
    <a className={classNames[place]} href={community.link}>
      <span>{community.label}</span>
      <OnlineCount />
    </a>
  );
}
