import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router";
import type { Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { useOpened } from "../../data/use-opened.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { Ago } from "../../ui/ago.tsx";
import { CodeLine } from "../../ui/code-line.tsx";
import { Counted } from "../../ui/counted.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { TableColumn } from "../../ui/table/table-types.ts";
import { NewProject } from "./new-project.tsx";
import { describeBuilder } from "./project-settings-values.ts";

export function ProjectsScreen() {
  const { name } = useOrganization();
  const { value: isNew, open, close } = useOpened("new");
  const source = useQuery(projectsQuery(name));
  const columns = useMemo(() => columnsOf(name), [name]);
  const actions = useMemo(
    (): PageAction[] => [
      {
        label: "New project",
        icon: "plus",
        shortcut: "N",
        command: "millrace projects create",
        run: () => open("1"),
      },
    ],
    [open],
  );
  return (
    <Page title="Projects" actions={actions}>
      <Head
        title="Projects"
        lead="A project is one layer cache per architecture, shared by everyone who builds it."
        actions={
          <button className="btn action" type="button" aria-keyshortcuts="N" onClick={() => open("1")}>
            <Icon name="plus" />
            New project
            <kbd aria-hidden="true">N</kbd>
          </button>
        }
      />
      <DataTable
        name="Projects"
        unit="project"
        source={source}
        columns={columns}
        keyOf={({ id }) => id}
        textOf={textOf}
        searchLabel="Name or id"
        order={ORDER}
        empty={<NoProjects organization={name} />}
      />
      {isNew && <NewProject taken={source.data ?? []} onClose={close} />}
    </Page>
  );
}

const ORDER = { key: "name", isDescending: false };
const textOf = ({ name, id }: Project) => `${name} ${id}`;

const columnsOf = (organization: string): TableColumn<Project>[] => {
  const pageOf = ({ name }: Project) => addressOf(organization, `projects/${encodeURIComponent(name)}`);
  return [
    {
      key: "name",
      label: "Project",
      isMain: true,
      value: ({ name }) => name,
      render: (project) => (
        <span className="row gap12">
          <Link className="clip" to={pageOf(project)}>
            {project.name}
          </Link>
          <span className="mono secondary">{project.id}</span>
        </span>
      ),
    },
    {
      key: "trust",
      label: "Trust relationships",
      isNumber: true,
      value: ({ trust_relationships }) => trust_relationships.length,
      render: ({ trust_relationships: { length } }) => (
        <span className={length === 0 ? "subtle" : undefined}>
          <Counted count={length} unit="trust relationship" />
        </span>
      ),
    },
    {
      key: "builder",
      label: "Builder",
      isNumber: true,
      value: ({ builder_size }) => builder_size,
      render: ({ builder_size }) => describeBuilder(builder_size),
    },
    {
      key: "created",
      label: "Created",
      isNumber: true,
      isMinor: true,
      value: ({ created_at }) => created_at ?? null,
      render: ({ created_at }) => <Ago at={created_at} />,
    },
  ];
};

function NoProjects({ organization }: { organization: string }) {
  return (
    <EmptyState title={`No projects in ${organization} yet`}>
      <p>
        A project is where the layer cache of a repository lives. Create one here, or in the repository: that
        also writes millrace.json, which names the project.
      </p>
      <CodeLine command="millrace init" />
    </EmptyState>
  );
}
