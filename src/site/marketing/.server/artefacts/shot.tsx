import type { ReactNode } from "react";
import { Inline } from "../inline.tsx";

interface ShotProps {
  title: string;
  state: string;
  /** The note below it, which names the samples. */
  note: string;
  children: ReactNode;
}

/** A preview of a part of the product, with made-up figures that are labelled as such. */
export function Shot({ title, state, note, children }: ShotProps) {
  return (
    <figure className="shot">
      <figcaption className="shot-bar">
        <strong>{title}</strong>
        <span>{state}</span>
        <span className="shot-sample">Sample</span>
      </figcaption>
      {children}
      <p className="shot-note">
        <Inline text={note} />
      </p>
    </figure>
  );
}

/** The meanings of the colours, in words. */
export function Legend({ keys }: { keys: { kind: string; text: string }[] }) {
  return (
    <ul className="shot-keys">
      {keys.map(({ kind, text }) => (
        <li key={text} className={`key key-${kind}`}>
          {text}
        </li>
      ))}
    </ul>
  );
}
