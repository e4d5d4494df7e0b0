import { siteConfig } from "#config";

const written = () =>
  typeof document === "undefined" ? "" : (document.querySelector("[data-online]")?.innerHTML ?? "");

/**
 * The place for the number of those online. The server writes it into the page when it knows one
 * (`server/community-count.ts` finds this very element); React keeps what is in the document.
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

/** The community's chat, where `site.config.ts` names one. */
export function ChatLink({ isLarge = false }: { isLarge?: boolean }) {
  const { community } = siteConfig;
  if (!community) return null;
  return (
    <a className={isLarge ? "chat" : "quiet chat-head"} href={community.link}>
      <span>{community.label}</span>
      <OnlineCount />
    </a>
  );
}
