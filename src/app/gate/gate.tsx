import { type ReactNode, useEffect, useRef } from "react";
import { isLocalName } from "#platform/text/local-name.ts";
import { Mark } from "#ui/mark.tsx";
import type { AuthState, SignedInUser } from "../data/answers.ts";
import { GateIcon } from "./gate-icon.tsx";
import { keepNext } from "./next-page.ts";
import { signOut } from "./sign-out.ts";
import { isElsewhere } from "./way-in.tsx";

interface Props {
  /** Absent until the server has answered. */
  state?: AuthState | undefined;
  width?: "wide";
  /** The signed-in person, with a way to sign out; on pages where it matters. */
  user?: SignedInUser | null;
  /** Links in the footer, in addition to the documentation. */
  links?: readonly { href: string; label: string }[];
  beside?: ReactNode;
  children: ReactNode;
}

/** The frame of all pages in front of the application. */
export function Gate({ state, width, user, links = [], beside, children }: Props) {
  return (
    <div className="gate" data-width={width}>
      <div className="gate-page">
        <header className="gate-head">
          <a className="brand" href="/">
            <Mark />
            {__SITE_NAME__}
          </a>
          {user && <Who user={user} />}
        </header>
        <main id="content">
          {state?.origin && <OtherAddress origin={state.origin} />}
          {children}
        </main>
        <footer className="gate-foot">
          {state && (
            <span>
              {__SITE_NAME__} {state.version}
            </span>
          )}
          <a href="/docs">Documentation</a>
          {links.map(({ href, label }) => (
            <a key={href} href={href}>
              {label}
            </a>
          ))}
        </footer>
      </div>
      {beside}
      <div className="vh" id="announcer" aria-live="polite" />
    </div>
  );
}

function Who({ user }: { user: SignedInUser }) {
  return (
    <span className="who">
      <Avatar name={user.name} />
      <bdi title={user.name}>{user.name}</bdi>
      <button
        className="text-link"
        type="button"
        onClick={() => {
          // An invitation's address is a secret.
          keepNext(location.pathname + location.search);
          void signOut();
        }}
      >
        Not you?
      </button>
    </span>
  );
}

/** The first letters of the first and the last name. */
function Avatar({ name }: { name: string }) {
  const words = name.split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...(word ?? "")][0] ?? "");
  return (
    <span className="avatar" aria-hidden="true">
      {letters.join("").toLocaleUpperCase()}
    </span>
  );
}

/** Whether a page has shown its first heading: later ones take the focus, like a page load. */
let isLater = false;

/** The page's heading and its title. */
export function Heading({
  title,
  children,
  lead,
}: {
  title: string;
  children?: ReactNode;
  lead?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${__SITE_NAME__}`;
    // On pages with a single question its field has the focus.
    if (isLater && !document.activeElement?.matches("main input"))
      heading.current?.focus({ preventScroll: true });
    isLater = true;
  }, [title]);
  return (
    <div>
      <h1 ref={heading} tabIndex={-1}>
        {children ?? title}
      </h1>
      {lead && <p className="lead">{lead}</p>}
    </div>
  );
}

interface NoteProps {
  kind?: "bad" | "warn" | "ok";
  title?: ReactNode;
  children?: ReactNode;
  /** Announced immediately: it appears after an action of the person. */
  isAlert?: boolean;
}

const NOTE_ICONS = { bad: "circleAlert", warn: "triangleAlert", ok: "check", info: "info" } as const;

export function Note({ kind, title, children, isAlert = false }: NoteProps) {
  return (
    <div className="note" data-kind={kind} {...(isAlert && { role: "alert" })}>
      <GateIcon name={NOTE_ICONS[kind ?? "info"]} />
      <div>
        {title && <b>{title}</b>} {children}
      </div>
    </div>
  );
}

/** Names come from other people: they must neither change the text direction around them nor wrap. */
export function Name({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}

/** Above every page in front of the application that was not opened at `SITE_ORIGIN`. */
function OtherAddress({ origin }: { origin: string }) {
  if (!isElsewhere(origin)) return null;
  const here = location.pathname + location.search;
  return (
    <Note kind="warn" title={`The address of this server is ${origin}.`}>
      Sign-ins work only there, but you opened it at {location.origin}.{" "}
      {isLocalName(new URL(origin).hostname) ? (
        <>
          That name refers to your own machine. Ask whoever runs the server to set{" "}
          <code>SITE_ORIGIN={location.origin}</code>, or its https address.
        </>
      ) : (
        <a className="text-link" href={`${origin}${here}`}>
          Open this page there
        </a>
      )}
    </Note>
  );
}
