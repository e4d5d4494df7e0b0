import { siteConfig } from "#config";

/** Where the server writes how many are online; see `server/community-count.ts`. */
const placeholder = () =>
  typeof document === "undefined" ? "" : (document.querySelector("[data-online]")?.innerHTML ?? "");

/**
 * The community's chat. The number of those who are online is put into the page by the server when it knows one; React
 * keeps what is in the document.
 */
export function ChatLink({ isLarge = false }: { isLarge?: boolean }) {
  const { community } = siteConfig;
  if (!community) return null;
  return (
    <a className={isLarge ? "chat" : "quiet chat-head"} href={community.link}>
      <span>{community.label}</span>
      <span
        className="chat-n"
        data-online
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: placeholder() }}
      />
    </a>
  );
}
