import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useRangeSearch } from "../data/address.ts";
import { useHere } from "../data/organization.ts";
import { Icon } from "../ui/icon.tsx";
import { openCommandMenu } from "./opened.ts";
import { OrganizationMenu } from "./organization-menu.tsx";
import {
  addressOf,
  DOCUMENTATION,
  type InnerPlace,
  type Place,
  PLACES,
  PLACES_BELOW,
} from "../page/places.ts";
import { RailEnd } from "./rail-end.tsx";
import { RunningCount } from "./running-count.tsx";
import { fetchCommandMenu } from "./command/load.ts";
import { CTRL_K, KEYS_OF_COMMAND_MENU } from "../ui/keys/ctrl-key.ts";

/** The places, and the signed-in person. On narrow screens a sheet. */
export function Rail() {
  const { organization, user } = useHere();
  const places = user.is_operator ? [...PLACES_BELOW, DOCUMENTATION] : PLACES_BELOW;
  return (
    <nav className="rail" id="navigation" aria-label="Main" data-keep-scroll="rail">
      <OrganizationMenu />
      <button
        className="find-button"
        type="button"
        aria-keyshortcuts={KEYS_OF_COMMAND_MENU}
        onPointerEnter={fetchCommandMenu}
        onFocus={fetchCommandMenu}
        onClick={openCommandMenu}
      >
        <Icon name="search" className="small" />
        Search or run
        <kbd aria-hidden="true">{CTRL_K}</kbd>
      </button>
      {organization && <Places places={PLACES} />}
      <Places places={organization ? places : places.filter(({ path }) => path.startsWith("/"))}>
        {!user.is_operator && (
          <li>
            <a href="/docs">
              <Icon name="bookOpen" />
              Documentation
            </a>
          </li>
        )}
      </Places>
      <RailEnd />
    </nav>
  );
}

function Places({ places, children }: { places: readonly Place[]; children?: ReactNode }) {
  return (
    <ul className="nav">
      {places.map((place) => (
        <PlaceItem key={place.label} place={place} />
      ))}
      {children}
    </ul>
  );
}

function PlaceItem({ place }: { place: Place }) {
  const { organization } = useHere();
  const { pathname } = useLocation();
  const address = addressOf(organization?.name ?? "", place.path);
  const isHere = place.path === "" ? isAt(pathname, address) : isBelow(pathname, address);
  const isOpen = isHere && place.inner !== undefined;
  return (
    <li>
      <Link
        to={address}
        className={isOpen ? "is-open" : undefined}
        aria-current={isHere && !isOpen ? (isAt(pathname, address) ? "page" : "true") : undefined}
      >
        <Icon name={place.icon} />
        {place.label}
        {place.path === "builds" && organization && <RunningCount organization={organization.name} />}
      </Link>
      {isOpen && <Branch places={place.inner ?? []} root={address} />}
    </li>
  );
}

/** The elbow turns into the current page. */
function Branch({ places, root }: { places: readonly InnerPlace[]; root: string }) {
  const { organization } = useHere();
  const { pathname } = useLocation();
  // The documentation's figures have a time range: links keep it.
  const search = useRangeSearch();
  const shown = places.filter(({ ownersOnly }) => !ownersOnly || organization?.role === "owner");
  return (
    <ul className="branch">
      {shown.map(({ label, path }) => {
        const address = addressOf(organization?.name ?? "", path);
        const isHere = address === root ? isAt(pathname, address) : isBelow(pathname, address);
        return (
          <li key={path} className={isHere ? "is-trail" : undefined}>
            <Link
              to={root === DOCUMENTATION.path ? address + search : address}
              aria-current={isHere ? (isAt(pathname, address) ? "page" : "true") : undefined}
            >
              {label}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

const isAt = (pathname: string, address: string) => pathname.replace(/\/$/, "") === address;
const isBelow = (pathname: string, address: string) => `${pathname}/`.startsWith(`${address}/`);
