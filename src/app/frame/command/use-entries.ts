import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation } from "react-router";
import type { Build, Member, Project, Token } from "#api/gen/json-types.ts";
import { chooseTheme, otherTheme } from "#ui/theme.ts";
import { type Here, useHere } from "../../data/organization.ts";
import { membersQuery, projectsQuery, tokensQuery } from "../../data/queries.ts";
import { signOut } from "../../gate/sign-out.ts";
import { recentBuildsQuery } from "../../screens/builds/build-queries.ts";
import { titleOf } from "../../screens/builds/build-words.ts";
import { CACHE_TOOLS } from "../../screens/cache/tools.ts";
import { openKeys } from "../opened.ts";
import { organizationAddress, samePlaceIn } from "../organization-addresses.ts";
import { type PageAction, usePageFacts } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { placesFor } from "../shortcuts.ts";
import { signOutEverywhere } from "../sign-out-everywhere.ts";
import type { Entry } from "./entries.ts";

/** Everything that the person can go to or run from here. */
export function useEntries(): Entry[] {
  const here = useHere();
  const { pathname, search } = useLocation();
  const { actions } = usePageFacts();
  const name = here.organization?.name ?? "";
  const isEnabled = here.organization !== null;
  const { data: builds } = useQuery({ ...recentBuildsQuery(name), enabled: isEnabled });
  const { data: projects } = useQuery({ ...projectsQuery(name), enabled: isEnabled });
  const { data: members } = useQuery({ ...membersQuery(name), enabled: isEnabled });
  const { data: tokens } = useQuery({ ...tokensQuery(name), enabled: isEnabled });
  return useMemo(() => {
    const own = actions.map(entryOfAction);
    const isNew = ({ label }: Entry) => !own.some((each) => each.label === label);
    return [
      ...own,
      ...(builds ?? []).map((build) => entryOfBuild(name, build)),
      ...(projects ?? []).map((project) => entryOfProject(name, project)),
      ...(members ?? []).map((member) => entryOfMember(name, member)),
      ...placeEntries(here),
      // The page's own action already does the same.
      ...commandEntries(here, pathname, search).filter(isNew),
      ...(tokens ?? []).map((token) => entryOfToken(name, token)),
    ];
  }, [actions, builds, projects, members, tokens, here, name, pathname, search]);
}

const entryOfAction = ({ label, icon, shortcut, command, run }: PageAction): Entry => ({
  key: `action ${label}`,
  group: "This page",
  label,
  icon,
  isCommand: true,
  run,
  ...(shortcut && { shortcut }),
  ...(command && { command }),
});

const entryOfBuild = (organization: string, build: Build): Entry => ({
  key: build.id,
  group: "Builds",
  label: titleOf(build),
  icon: "container",
  note: build.project,
  id: build.id,
  words: `${build.branch} ${build.commit_sha}`,
  to: addressOf(organization, `builds/${build.id}`),
});

function entryOfProject(organization: string, { id, name }: Project): Entry {
  const to = addressOf(organization, `projects/${encodeURIComponent(name)}`);
  return {
    key: id,
    group: "Projects",
    label: name,
    icon: "folderGit",
    id,
    to,
    more: [{ label: "Open settings", icon: "settings", to: `${to}/settings` }],
  };
}

const entryOfMember = (organization: string, { user_id, name, mail, role }: Member): Entry => ({
  key: user_id,
  group: "People",
  label: name,
  icon: "user",
  note: role,
  id: user_id,
  words: mail,
  to: addressOf(organization, `settings/members?row=${encodeURIComponent(user_id)}`),
});

const entryOfToken = (organization: string, { id, name }: Token): Entry => ({
  key: id,
  group: "Settings and places",
  label: name,
  icon: "keyRound",
  note: "token",
  id,
  to: addressOf(organization, `settings/tokens?row=${encodeURIComponent(id)}`),
});

function placeEntries({ organization, user }: Here): Entry[] {
  const name = organization?.name ?? "";
  const places = placesFor(user.is_operator, organization !== null).flatMap((place): Entry[] => [
    placeEntry(place.label, place.icon, addressOf(name, place.path), `G ${place.letter}`),
    ...(place.inner ?? [])
      .filter(
        ({ ownersOnly, path }) => path !== place.path && (!ownersOnly || organization?.role === "owner"),
      )
      .map(({ label, path }) => ({
        ...placeEntry(label, place.icon, addressOf(name, path)),
        note: place.label,
      })),
  ]);
  const tools = CACHE_TOOLS.map((tool) => ({
    ...placeEntry(tool.name, "databaseZap", addressOf(name, `cache/${tool.id}`)),
    note: "Cache",
    words: "build cache",
  }));
  return [
    ...places,
    ...(organization ? tools : []),
    placeEntry("Your profile", "user", "/app/me"),
    placeEntry("API reference", "braces", "/app/api"),
  ];
}

const placeEntry = (label: string, icon: Entry["icon"], to: string, shortcut?: string): Entry => ({
  key: `place ${to}`,
  group: "Settings and places",
  label,
  icon,
  to,
  ...(shortcut && { shortcut }),
});

const commandEntry = (
  label: string,
  icon: Entry["icon"],
  act: Pick<Entry, "to" | "run" | "shortcut" | "words">,
): Entry => ({
  key: `command ${label}`,
  group: "Settings and places",
  label,
  icon,
  isCommand: true,
  ...act,
});

function commandEntries({ organization, user }: Here, pathname: string, search: string): Entry[] {
  const at = (path: string) => addressOf(organization?.name ?? "", path);
  const ask = (question: string) => organizationAddress(pathname, search, question);
  const other = otherTheme();
  return [
    ...(organization
      ? [
          commandEntry("New token", "keyRound", { to: at("settings/tokens?new=1") }),
          commandEntry("New project", "folderGit", { to: at("projects?new=1") }),
        ]
      : []),
    ...(organization?.role === "owner"
      ? [
          commandEntry("Invite someone", "userPlus", {
            to: at("settings/members?new=1"),
            words: "invitation member",
          }),
          commandEntry("New trust relationship", "shield", { to: at("settings/trust?new=1"), words: "oidc" }),
          commandEntry(`Rename ${organization.name}`, "pencil", { to: ask("rename-organization") }),
          commandEntry(`Delete ${organization.name}`, "trash", { to: ask("delete-organization") }),
        ]
      : []),
    ...user.organizations
      .filter(({ id }) => id !== organization?.id)
      .map(({ name }) =>
        commandEntry(`Switch to ${name}`, "users", { to: samePlaceIn(name, pathname), words: name }),
      ),
    ...(user.is_operator ? [commandEntry("New organization", "plus", { to: ask("new-organization") })] : []),
    commandEntry(other === "dark" ? "Dark theme" : "Light theme", other === "dark" ? "moon" : "sun", {
      words: "appearance",
      run: () => {
        chooseTheme(other);
        window.dispatchEvent(new Event("themechange"));
      },
    }),
    commandEntry("Keys", "keyboard", { run: openKeys, shortcut: "?", words: "shortcuts" }),
    commandEntry("Sign out", "logOut", { run: () => void signOut(), words: "log off leave" }),
    commandEntry("Sign out everywhere", "monitorX", {
      run: () => void signOutEverywhere(),
      words: "log off",
    }),
  ];
}
