import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import type { Project } from "#api/gen/json-types.ts";
import { useAddress } from "../../data/address.ts";
import { useOrganization } from "../../data/organization.ts";
import { useOpened } from "../../data/use-opened.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { CopyIconButton } from "../../ui/copy-icon-button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";
import { MissingProject } from "../projects/missing-project.tsx";
import { projectQuery } from "../projects/project-query.ts";
import { EmptyRepository } from "./empty-repository.tsx";
import { ImagePanel } from "./image-panel.tsx";
import { repositoriesQuery } from "./image-queries.ts";
import { ImageTable } from "./image-table.tsx";
import { describeRepository, isNamed, referenceOf } from "./image-words.ts";
import { keepRepository } from "./last-repository.ts";
import { PushDialog, repositoryAddress } from "./push-commands.tsx";
import { RepositoryChoice } from "./repository-choice.tsx";
import { useImages } from "./use-images.ts";
import "../../styles/images.css";

/** `/images/:project`: the images of one project. */
export function ImagesScreen() {
  const { project: reference = "" } = useParams();
  const { id, name: organization } = useOrganization();
  const client = useQueryClient();
  const { data: project, error, refetch } = useQuery(projectQuery(client, { organization, reference }));
  useNameInAddress(project, reference);
  useEffect(() => {
    if (project) keepRepository(id, project.id);
  }, [id, project]);
  const above = useMemo(() => [{ label: "Images", to: addressOf(organization, "images") }], [organization]);
  if (project === null) return <MissingProject reference={reference} />;
  if (project) return <RepositoryPage key={project.id} project={project} above={above} />;
  return (
    <Page title={reference} above={above}>
      <Head title={<bdi>{`${organization}/${reference}`}</bdi>} />
      {error ? (
        <Failure what={`The project ${reference}`} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what={`the images of ${reference}`} />
      )}
    </Page>
  );
}

/** Replaces an id, or the project's former name, by its name. */
function useNameInAddress(project: Project | null | undefined, reference: string): void {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();
  useEffect(() => {
    if (!project || project.name === reference) return;
    client.setQueryData(["projects", organization, project.name], project);
    void navigate(addressOf(organization, `images/${encodeURIComponent(project.name)}`) + search, {
      replace: true,
    });
  }, [client, navigate, organization, project, reference, search]);
}

interface PageProps {
  project: Project;
  above: readonly { label: string; to: string }[];
}

function RepositoryPage({ project, above }: PageProps) {
  const asked = useOpened("do");
  const { open } = asked;
  const actions = useMemo<PageAction[]>(
    () => [{ label: "Push an image", icon: "squareTerminal", shortcut: "N", run: () => open("push") }],
    [open],
  );
  return (
    <Page title={project.name} above={above} actions={actions}>
      <RepositoryHead project={project} onPush={() => open("push")} />
      <Images project={project} asked={asked} />
      {asked.value === "push" && <PushDialog project={project} onClose={asked.close} />}
    </Page>
  );
}

function RepositoryHead({ project, onPush }: { project: Project; onPush: () => void }) {
  const { name: organization } = useOrganization();
  const { data: repositories } = useQuery(repositoriesQuery(organization));
  const own = repositories?.find(({ project_id }) => project_id === project.id);
  const address = repositoryAddress(organization, project);
  return (
    <Head
      title={
        <bdi>
          {organization}/{project.name}
        </bdi>
      }
      beside={
        <span className="row image-address">
          <span className="mono text-xs subtle clip narrow-hidden">{address}</span>
          <CopyIconButton text={address} label="Copy the address" />
        </span>
      }
      // The line is reserved before its text arrives: nothing below it moves.
      lead={own ? describeRepository(own) : repositories ? "No image yet." : "\u00a0"}
      actions={
        <button className="btn" type="button" aria-keyshortcuts="N" onClick={onPush}>
          <Icon name="squareTerminal" />
          Push an image
        </button>
      }
    />
  );
}

const AddTagDialog = lazy(async () => ({ default: (await import("./add-tag.tsx")).AddTagDialog }));
const DeleteDialog = lazy(async () => ({ default: (await import("./delete-image.tsx")).DeleteDialog }));

interface ImagesProps {
  project: Project;
  asked: ReturnType<typeof useOpened>;
}

function Images({ project, asked }: ImagesProps) {
  const images = useImages(project);
  const { params } = useAddress();
  const tag = useOpened("tag");
  const reference = tag.value;
  const current = reference ? images.all.find((image) => isNamed(image, reference)) : undefined;
  const choice = <RepositoryChoice project={project} />;
  const isFiltered = params.has("q");
  return (
    <>
      <div className={reference ? "grid-side image-side" : undefined}>
        <div className="beside">
          <ImageTable
            project={project.name}
            images={images}
            choice={choice}
            currentKey={current && referenceOf(current)}
            onOpen={(image) => tag.open(referenceOf(image))}
            empty={
              <EmptyRepository
                project={project}
                choice={choice}
                hidesBuilds={!isFiltered && params.get("saved") !== "1"}
              />
            }
          />
        </div>
        {reference && (
          <ImagePanel
            key={reference}
            {...{ project, reference, row: current }}
            onOpen={tag.open}
            onAsk={asked.open}
            onClose={tag.close}
          />
        )}
      </div>
      <Suspense fallback={null}>
        {asked.value === "tag" && reference && (
          <AddTagDialog {...{ project, reference }} images={images.all} onClose={asked.close} />
        )}
        {asked.value === "delete" && reference && (
          <DeleteDialog {...{ project, reference }} onClose={asked.close} />
        )}
      </Suspense>
    </>
  );
}
