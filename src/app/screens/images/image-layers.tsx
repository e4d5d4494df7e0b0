import { type KeyboardEvent, useId, useRef } from "react";
import type { ImageLayer, ImagePlatform } from "#api/gen/json-types.ts";
import { useAddress } from "../../data/address.ts";
import { cutText, formatBytes, plural } from "../../format.ts";
import { FillChannel } from "../../ui/channel/channel.tsx";
import { describeStep, namePlatform, shortDigest } from "./image-words.ts";

/** Further layers are counted. */
const LAYERS_SHOWN = 150;

/** The image's platforms as tabs, each with its layers, the first layer at the top. */
export function ImageLayers({ platforms }: { platforms: readonly ImagePlatform[] }) {
  const { params } = useAddress();
  const id = useId();
  const asked = params.get("arch") ?? params.get("platform");
  const shown = platforms.find(({ platform }) => platform === asked) ?? platforms[0];
  if (!shown)
    return (
      <p className="panel-body muted image-none">
        It has no platforms: it is an artifact, such as a chart or a signature.
      </p>
    );
  return (
    <>
      <PlatformTabs {...{ platforms, shown, id }} />
      <div
        className="layers"
        role="tabpanel"
        id={`${id}-layers`}
        aria-labelledby={tabId(id, platforms.indexOf(shown))}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a panel without controls is reached by itself
        tabIndex={0}
      >
        <Layers layers={shown.layers} />
      </div>
    </>
  );
}

const tabId = (id: string, index: number) => `${id}-${index}`;
const STEPS: { [key: string]: number | undefined } = { ArrowRight: 1, ArrowLeft: -1 };

interface TabsProps {
  platforms: readonly ImagePlatform[];
  shown: ImagePlatform;
  id: string;
}

function PlatformTabs({ platforms, shown, id }: TabsProps) {
  const { change } = useAddress();
  const list = useRef<HTMLDivElement>(null);
  const step = (event: KeyboardEvent) => {
    const distance = STEPS[event.key];
    if (distance === undefined) return;
    event.preventDefault();
    const to = (platforms.indexOf(shown) + distance + platforms.length) % platforms.length;
    change({ arch: platforms[to]?.platform ?? null });
    list.current?.querySelectorAll("button")[to]?.focus();
  };
  return (
    <div ref={list} className="tabs" role="tablist" aria-label="Platforms">
      {platforms.map((each, index) => (
        <button
          key={each.digest}
          type="button"
          role="tab"
          id={tabId(id, index)}
          aria-selected={each === shown}
          aria-controls={`${id}-layers`}
          tabIndex={each === shown ? 0 : -1}
          onKeyDown={step}
          onClick={() => change({ arch: each.platform })}
        >
          <bdi>{cutText(namePlatform(each.platform), 40)}</bdi>
          <span className="number">{formatBytes(Number(each.size_bytes))}</span>
        </button>
      ))}
    </div>
  );
}

function Layers({ layers }: { layers: readonly ImageLayer[] }) {
  const largest = layers.reduce((most, { size_bytes }) => Math.max(most, Number(size_bytes)), 0);
  const more = layers.length - LAYERS_SHOWN;
  if (layers.length === 0) return <p className="panel-body muted">Nothing is known about its layers.</p>;
  return (
    <ol>
      {layers.slice(0, LAYERS_SHOWN).map((layer, index) => (
        // A layer may occur twice.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="layer">
          <LayerName layer={layer} />
          <FillChannel
            used={Number(layer.size_bytes)}
            limit={largest}
            part={layer.is_shared ? "cached" : "worked"}
          />
          <span className="number">{formatBytes(Number(layer.size_bytes))}</span>
        </li>
      ))}
      {more > 0 && <li className="layer subtle">and {plural(more, "more layer")}</li>}
    </ol>
  );
}

/** The colour shows whether another tag has the layer; so does the text. */
function LayerName({ layer: { created_by, digest, is_shared } }: { layer: ImageLayer }) {
  const step = describeStep(created_by) || shortDigest(digest);
  return (
    <code className="clip" title={`${cutText(step, 400)}\n${digest}`}>
      <bdi>{cutText(step, 120)}</bdi>
      <span className="vh">{is_shared ? ", shared with another tag" : ", only here"}</span>
    </code>
  );
}
