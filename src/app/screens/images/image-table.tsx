import { type ReactNode, useMemo } from "react";
import type { Image } from "#api/gen/json-types.ts";
import { useAddress } from "../../data/address.ts";
import { cutText, formatBytes, formatPart } from "../../format.ts";
import { Ago } from "../../ui/ago.tsx";
import { Person } from "../../ui/avatar.tsx";
import { ShareChannel } from "../../ui/channel/channel.tsx";
import { Counted } from "../../ui/counted.tsx";
import { Icon } from "../../ui/icon.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { TableColumn, TableFilter } from "../../ui/table/table-types.ts";
import { namePlatform, referenceOf, shortDigest } from "./image-words.ts";
import type { Images } from "./use-images.ts";

interface Props {
  project: string;
  images: Images;
  /** Shows the current repository, and chooses another. */
  choice: ReactNode;
  currentKey: string | undefined;
  onOpen: (image: Image) => void;
  empty: ReactNode;
}

export function ImageTable({ project, images, choice, currentKey, onOpen, empty }: Props) {
  const filters = usePlatformFilter(images.all);
  return (
    <DataTable
      name={`Images of ${project}`}
      unit="image"
      source={images.source}
      pages={images.pages}
      columns={COLUMNS}
      keyOf={referenceOf}
      textOf={textOf}
      searchLabel="Tag, digest or commit"
      beforeSearch={choice}
      filters={filters}
      afterChips={<SavedBuildsChip />}
      order={ORDER}
      currentKey={currentKey}
      currentParam="tag"
      onOpen={onOpen}
      empty={empty}
      note={<Legend />}
    />
  );
}

const ORDER = { key: "pushed", isDescending: true };
const textOf = ({ tags, digest }: Image) => [...tags, digest].join(" ");

/** Saved builds without their own tag are many, and are removed automatically. */
function SavedBuildsChip() {
  const { params, change } = useAddress();
  const show = (saved: string | null) => change({ saved });
  if (params.get("saved") === "1")
    return (
      <button className="chip" type="button" onClick={() => show(null)}>
        <Icon name="plus" />
        Hide saved builds
      </button>
    );
  return (
    <span className="chip on">
      <span className="chip-value">
        Saved builds <b>hidden</b>
      </span>
      <button className="chip-remove" type="button" aria-label="Show saved builds" onClick={() => show("1")}>
        <Icon name="x" />
      </button>
    </span>
  );
}

const HAS_PLATFORM: TableFilter<Image>["has"] = ({ platforms }, value) => platforms.includes(value);

/** Platforms of the images read so far. */
function usePlatformFilter(images: readonly Image[]): readonly TableFilter<Image>[] {
  const { params } = useAddress();
  const chosen = params.get("platform") ?? "";
  const names = [...new Set(images.flatMap(({ platforms }) => platforms).concat(chosen || []))].toSorted();
  const text = names.join("\n");
  return useMemo(() => {
    const options = text.split("\n").map((value) => ({ value, label: cutText(namePlatform(value), 40) }));
    return text === "" ? [] : [{ key: "platform", label: "Platform", options, has: HAS_PLATFORM }];
  }, [text]);
}

function Legend() {
  return (
    <span className="legend image-keys">
      <span>
        <i className="key" />
        Layers shared with another tag
      </span>
      <span>
        <i className="key worked" />
        Layers only here
      </span>
    </span>
  );
}

const shareOf = ({ own_bytes, size_bytes }: Image) =>
  Number(size_bytes) > 0 ? Math.min(Number(own_bytes) / Number(size_bytes), 1) : null;

const COLUMNS: readonly TableColumn<Image>[] = [
  {
    key: "tags",
    label: "Tags",
    isMain: true,
    value: (image) => image.tags.join(" ") || image.digest,
    render: (image) => <Tags image={image} />,
  },
  {
    key: "platforms",
    label: "Platforms",
    isMinor: true,
    value: ({ platforms }) => platforms.join(" ") || null,
    render: ({ platforms }) => <Platforms platforms={platforms} />,
  },
  {
    key: "size",
    label: "Size",
    isNumber: true,
    isResult: true,
    value: ({ size_bytes }) => Number(size_bytes),
    render: ({ size_bytes }) => formatBytes(Number(size_bytes)),
  },
  {
    key: "new_layers",
    label: "New layers",
    isMinor: true,
    value: ({ own_bytes }) => Number(own_bytes),
    rank: shareOf,
    render: (image) => <Share image={image} />,
  },
  {
    key: "by",
    label: "By",
    value: ({ pushed_by }) => pushed_by || null,
    render: ({ pushed_by }) =>
      pushed_by && (
        <span className="image-by">
          <Person name={cutText(pushed_by, 60)} />
        </span>
      ),
  },
  {
    key: "pushed",
    label: "Pushed",
    isNumber: true,
    value: ({ created_at }) => created_at ?? null,
    render: ({ created_at }) => <Ago at={created_at} />,
  },
  {
    key: "pulls",
    label: "Pulls",
    isNumber: true,
    isMinor: true,
    value: ({ pulls }) => Number(pulls),
    render: ({ pulls }) => <Counted count={Number(pulls)} unit="pull" />,
  },
];

const TAGS_SHOWN = 3;

/** Some images have a hundred tags. */
function Tags({ image: { tags, digest } }: { image: Image }) {
  const more = tags.length - TAGS_SHOWN;
  return (
    <span className="row image-tags" title={tags.length > 0 ? tags.slice(0, 20).join(", ") : digest}>
      {tags.slice(0, more === 1 ? TAGS_SHOWN + 1 : TAGS_SHOWN).map((tag) => (
        <span key={tag} className="tag">
          <bdi className="clip">{tag}</bdi>
        </span>
      ))}
      {more > 1 && <span className="subtle">and {more} more</span>}
      {tags.length === 0 && <span className="tag line">{shortDigest(digest)}</span>}
    </span>
  );
}

const PLATFORMS_SHOWN = 2;

function Platforms({ platforms }: Pick<Image, "platforms">) {
  const more = platforms.length - PLATFORMS_SHOWN;
  const names = platforms
    .slice(0, more === 1 ? PLATFORMS_SHOWN + 1 : PLATFORMS_SHOWN)
    .map((platform) => cutText(namePlatform(platform), 24));
  return (
    <span className="mono muted" title={platforms.slice(0, 20).join(", ")}>
      {names.join(" + ")}
      {more > 1 && ` + ${more}`}
    </span>
  );
}

/** How much of the image no other tagged image shares. */
function Share({ image }: { image: Image }) {
  const [own, size] = [Number(image.own_bytes), Number(image.size_bytes)];
  return (
    <span className="row image-share">
      <ShareChannel
        parts={[
          { part: "cached", size: size - own },
          { part: "worked", size: own },
        ]}
      />
      <span className="number">{formatPart(Math.min(own, size), size)}</span>
    </span>
  );
}
