import type { ReactNode } from "react";
import { Inline } from "../inline.tsx";

interface ShotProps {
  title: string;
  state: string;
  /** The note below it, which says what is a sample. */
  note: string;
  children: ReactNode;
}

/** A part of the product as it will look, with made-up figures that say so. */
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

/** What a colour means, in words. */
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
