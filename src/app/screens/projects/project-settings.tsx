import type { Project } from "#api/gen/json-types.ts";
import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { DeleteProjectRow } from "./delete-project.tsx";
import { ProjectPage } from "./project-frame.tsx";
import { explainProjectName } from "./project-name.ts";
import {
  builderChoices,
  cacheChoices,
  type Choice,
  explainPatterns,
  patternText,
  readPatterns,
  retentionChoices,
} from "./project-settings-values.ts";
import { ResetLayersRow } from "./reset-layers-row.tsx";
import { type RowControl, SettingRow } from "./setting-row.tsx";
import { useProjectUpdate } from "./use-project-update.tsx";

export function ProjectSettingsScreen() {
  return (
    <ProjectPage place="Settings">
      {(project) => (
        <>
          {/* Another project has new rows: typed values do not carry over. */}
          <SettingsPanel key={project.id} project={project} />
          <ResetLayersRow project={project} />
          <DeleteProjectRow project={project} />
        </>
      )}
    </ProjectPage>
  );
}

function SettingsPanel({ project }: { project: Project }) {
  return (
    <div className="panel settings-panel">
      <NameRow project={project} />
      <ChoiceRow
        project={project}
        field="builder_size"
        title="Builder size"
        hint="One builder per architecture, for up to 8 builds at once. It gets this size with its next build, or as a pod at its next start."
        choices={builderChoices(project.builder_size)}
      />
      <ChoiceRow
        project={project}
        field="cache_size_bytes"
        title="Layer cache, per architecture"
        hint="Above it, the least recently used layers are removed first."
        choices={cacheChoices(project.cache_size_bytes)}
      />
      <ChoiceRow
        project={project}
        field="retention_days"
        title="Unused layers go after"
        hint="A layer counts as used when a build reads it."
        choices={retentionChoices(project.retention_days)}
      />
      <ImmutableTagsRow project={project} />
    </div>
  );
}

function NameRow({ project }: { project: Project }) {
  const { name: organization } = useOrganization();
  const { data: projects = [] } = useQuery(projectsQuery(organization));
  const others = projects.filter(({ id }) => id !== project.id).map(({ name }) => name);
  const { save, ...row } = useProjectUpdate(project);
  return (
    <SettingRow
      {...row}
      title="Name"
      hint="Renaming moves this page and the repository of images. millrace.json contains the id and stays as it is."
      saved={project.name}
      check={(name) => (name === "" ? "A project needs a name." : explainProjectName(name, others))}
      onSave={(name) => save({ name })}
    >
      {(control) => (
        <input
          {...control}
          className="input small mono"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </SettingRow>
  );
}

function ImmutableTagsRow({ project }: { project: Project }) {
  const { save, ...row } = useProjectUpdate(project);
  return (
    <SettingRow
      {...row}
      title="Immutable tags"
      hint="Matching tags can be pushed once; they cannot be moved or deleted. Separate patterns with spaces: 2026.* v*"
      saved={patternText(project.immutable_tags)}
      normalize={(text) => patternText(readPatterns(text))}
      check={explainPatterns}
      onSave={(text) => {
        const immutable_tags = readPatterns(text);
        save(immutable_tags.length > 0 ? { immutable_tags } : { clear_immutable_tags: true });
      }}
    >
      {(control) => (
        <input
          {...control}
          className="input small mono"
          placeholder="none"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </SettingRow>
  );
}

interface ChoiceProps {
  project: Project;
  field: "builder_size" | "cache_size_bytes" | "retention_days";
  title: string;
  hint: string;
  choices: readonly Choice[];
}

function ChoiceRow({ project, field, title, hint, choices }: ChoiceProps) {
  const { save, ...row } = useProjectUpdate(project);
  return (
    <SettingRow
      {...row}
      title={title}
      hint={hint}
      saved={String(project[field])}
      onSave={(value) => save({ [field]: field === "cache_size_bytes" ? value : Number(value) })}
    >
      {(control) => <Choose control={control} choices={choices} />}
    </SettingRow>
  );
}

function Choose({ control, choices }: { control: RowControl; choices: readonly Choice[] }) {
  return (
    <select {...control} className="input small">
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
