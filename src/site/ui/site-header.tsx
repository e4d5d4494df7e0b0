import { useEffect, useRef, useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import { Brand } from "./brand.tsx";
import { listenForActionKey } from "./build-faster-key.ts";
import { BuildFaster, type Action } from "./build-faster.tsx";
import { headerLinks, type NavMenuItem } from "./header-links.ts";
import { Icon } from "./icon.tsx";
import { SiteLink } from "./site-link.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

interface SiteHeaderProps {
  name: string;
  /** A short text for each menu link, by address; the documentation leaves it out to stay small. */
  hints?: Record<string, string>;
  action: Action;
  /** Shown before the theme toggle. */
  tools?: ReactNode;
  /** The last row of the phone's menu. */
  menuEnd?: ReactNode;
}

const MENU_ID = "menu";

/**
 * The header of every page. It must be a direct child of the page's frame: its siblings become inert behind
 * the phone menu.
 *
 * Its links are in the page only once. Wide screens show them as a row with popover menus; on narrow screens the
 * row itself is a popover, a sheet with open menus. CSS decides which, and neither needs a script.
 */
export function SiteHeader({ name, hints = {}, action, tools, menuEnd }: SiteHeaderProps) {
  const { pathname } = useLocation();
  const { headerRef, menuRef, isOpen } = useMenuSheet(pathname);
  const actionRef = useRef<HTMLAnchorElement>(null);
  useEffect(() => listenForActionKey(action.key, () => actionRef.current?.click()), [action.key]);

  return (
    <header className="site-head" ref={headerRef}>
      <Brand name={name} />
      <nav className="site-nav" id={MENU_ID} popover="" aria-label="Main" ref={menuRef}>
        {headerLinks.map((item) =>
          "links" in item ? (
            <NavMenu key={item.label} menu={item} hints={hints} pathname={pathname} />
          ) : (
            <SiteLink key={item.to} to={item.to} aria-current={isCurrent(item.to, pathname)}>
              {item.label}
            </SiteLink>
          ),
        )}
        {menuEnd}
      </nav>
      <div className="site-tools">
        {tools}
        <ThemeToggle />
        <BuildFaster action={action} ref={actionRef} />
        <button
          className="icon-btn menu-btn"
          type="button"
          popoverTarget={MENU_ID}
          aria-label={isOpen ? "Close menu" : "Open menu"}
        >
          <Icon name="menu" className="when-closed" />
          <Icon name="x" className="when-open" />
        </button>
      </div>
    </header>
  );
}

interface NavMenuProps {
  menu: NavMenuItem;
  hints: Record<string, string>;
  pathname: string;
}

/** The browser reports whether it is open, closes it on Esc and on clicks outside, and restores the focus. */
function NavMenu({ menu, hints, pathname }: NavMenuProps) {
  const id = menu.label.toLowerCase();
  return (
    <>
      <button type="button" popoverTarget={id}>
        {menu.label}
      </button>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for controls of a form */}
      <div className="nav-menu" id={id} popover="" role="group" aria-label={menu.label}>
        {menu.links.map(({ label, to, icon }) => (
          <SiteLink key={to} to={to} aria-current={isCurrent(to, pathname)}>
            <Icon name={icon} />
            <span>
              {label}
              {hints[to] && <small>{hints[to]}</small>}
            </span>
          </SiteLink>
        ))}
      </div>
    </>
  );
}

/** `page` on the page itself, `true` on pages below it. */
function isCurrent(to: string, pathname: string): "page" | true | undefined {
  if (pathname === to) return "page";
  return pathname.startsWith(`${to}/`) || undefined;
}

/**
 * The phone menu is a popover: the browser opens and closes it, including Esc and the return of focus, even
 * before or without React. React adds the state in words, makes the page behind inert, and closes the menu
 * after a navigation.
 */
function useMenuSheet(pathname: string) {
  const headerRef = useRef<HTMLElement>(null);
  const menuRef = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const menu = menuRef.current;
    if (!menu) return;
    const update = () => setOpen(menu.matches(":popover-open"));
    update();
    menu.addEventListener("toggle", update);
    return () => menu.removeEventListener("toggle", update);
  }, []);

  const shown = useRef(pathname);
  useEffect(() => {
    // Not on the first run: the reader may have opened the menu before React loaded.
    if (shown.current === pathname) return;
    shown.current = pathname;
    const menu = menuRef.current;
    if (menu?.matches(":popover-open")) menu.hidePopover();
  }, [pathname]);

  useEffect(() => {
    if (!isOpen) return;
    const header = headerRef.current;
    const behind = [...(header?.parentElement?.children ?? [])].filter(
      (element) => element instanceof HTMLElement && element !== header && !element.inert,
    ) as HTMLElement[]; // narrowed by the filter
    for (const element of behind) element.inert = true;
    return () => {
      for (const element of behind) element.inert = false;
    };
  }, [isOpen]);

  return { headerRef, menuRef, isOpen };
}
