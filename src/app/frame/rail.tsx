import { NavLink } from "react-router";
import { useHere } from "../data/organization.ts";
import { Icon } from "../ui/icon.tsx";
import { addressOf, PLACES, PLACES_BELOW } from "./places.ts";

export function Rail() {
  const { organization } = useHere();
  return (
    <nav className="rail" aria-label="Main">
      {organization &&
        [PLACES, PLACES_BELOW].map((places, index) => (
          <div className="nav" key={index === 0 ? "work" : "rest"}>
            {places.map(({ label, path, icon }) => (
              <NavLink key={path} to={addressOf(organization.name, path)} end={path === ""}>
                <Icon name={icon} className="i" />
                {label}
              </NavLink>
            ))}
          </div>
        ))}
    </nav>
  );
}
