/** An installation in a customer's account, drawn as channels. Phones get a separate drawing. */
import type { ArtefactOf } from "../artefact-schema.ts";
import { placeTall, placeWide, type CloudLayout, type PlacedCloudBox } from "./cloud-layout.ts";

type CloudData = ArtefactOf<"cloud">;

export function CloudDiagram({ label, frame, chain, links, parts }: CloudData) {
  const cloud = { chain, links, parts };
  return (
    <>
      <Drawing layout={placeWide(cloud)} label={label} name={frame} className="cloud" />
      <Drawing layout={placeTall(cloud)} label={label} name={frame} className="cloud cloud-tall" />
    </>
  );
}

interface DrawingProps {
  layout: CloudLayout;
  label: string;
  /** The frame's name. */
  name: string;
  className: string;
}

function Drawing({ layout, label, name, className }: DrawingProps) {
  const { width, height, frame, boxes, rails, links } = layout;
  return (
    <svg
      className={className}
      viewBox={`0 0 ${width} ${height}`}
      // Limits the size of its text.
      style={{ maxWidth: Math.round(width * 1.2) }}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing takes the theme's colours
      role="img"
      aria-label={label}
    >
      <rect {...frame} rx="10" className="d-vpc" />
      <text x={frame.x + (className === "cloud" ? 22 : 54)} y={frame.y + 28} className="d-l">
        {name}
      </text>
      <path className="d-flow" d={rails.join("")} />
      {links.map((link) => (
        <text key={link.text} x={link.x} y={link.y} textAnchor={link.anchor} className="d-s">
          {link.text}
        </text>
      ))}
      {boxes.map((box) => (
        <Box key={box.title} box={box} />
      ))}
    </svg>
  );
}

function Box({ box }: { box: PlacedCloudBox }) {
  const { x, y, width, height, title, text } = box;
  return (
    <>
      <rect x={x} y={y} width={width} height={height} rx="6" className="d-box" />
      <text x={x + 14} y={y + (text === undefined ? 27 : 25)} className="d-t">
        {title}
      </text>
      {text !== undefined && (
        <text x={x + 14} y={y + 45} className="d-s">
          {text}
        </text>
      )}
    </>
  );
}
