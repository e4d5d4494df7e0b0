import { useLocation } from "react-router";
import { Mark } from "#ui/mark.tsx";
import { useHere } from "../data/organization.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { organizationAddress, samePlaceIn } from "./organization-addresses.ts";

/** With more organizations than these, a search is shown above them. */
const MANY = 8;

/** The page's organization, and a switch to others. */
export function OrganizationMenu() {
  const { organization, user } = useHere();
  const { pathname, search } = useLocation();
  const { organizations } = user;
  const ask = (what: string) => organizationAddress(pathname, search, what);
  const items: MenuItem[] = [
    ...organizations
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ id, name, role }) => ({
        key: id,
        label: <bdi>{name}</bdi>,
        text: name,
        note: role,
        to: samePlaceIn(name, pathname),
        isChosen: id === organization?.id,
      })),
    ...(organization?.role === "owner" ? ownersItems(organization.name, ask) : []),
    ...(user.is_operator ? operatorsItems(ask) : []),
  ];
  const name = organization?.name ?? "No organization";
  if (items.length === 0) return <div className="organization">{inside(name, false)}</div>;
  return (
    <Menu
      label={`${name}, switch organization`}
      className="organization"
      items={items}
      {...(organizations.length > MANY && { search: "Find an organization" })}
    >
      {inside(name, true)}
    </Menu>
  );
}

type Ask = (question: string) => string;

const ownersItems = (name: string, ask: Ask): MenuItem[] => [
  {
    key: "rename",
    label: (
      <>
        Rename <bdi>{name}</bdi>…
      </>
    ),
    text: `Rename ${name}`,
    icon: "pencil",
    to: ask("rename-organization"),
    startsGroup: true,
    isFixed: true,
  },
  {
    key: "delete",
    label: (
      <>
        Delete <bdi>{name}</bdi>…
      </>
    ),
    text: `Delete ${name}`,
    icon: "trash",
    to: ask("delete-organization"),
    isFixed: true,
  },
];

const operatorsItems = (ask: Ask): MenuItem[] => [
  {
    key: "new",
    label: "New organization…",
    icon: "plus",
    to: ask("new-organization"),
    startsGroup: true,
    isFixed: true,
  },
];

function inside(name: string, isButton: boolean) {
  return (
    <>
      <Mark />
      <b className="clip">
        <bdi>{name}</bdi>
      </b>
      {isButton && <Icon name="chevronsUpDown" className="small" />}
    </>
  );
}
