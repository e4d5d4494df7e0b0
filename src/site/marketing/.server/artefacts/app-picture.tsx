/**
 * The app as it is, in the theme of the page and in the form that it has on small screens. Only the picture of the theme that is
 * shown has a box, so a browser that loads lazily asks for no other.
 */
import buildDark from "../../images/build-dark.webp";
import buildLight from "../../images/build-light.webp";
import buildPhoneDark from "../../images/build-phone-dark.webp";
import buildPhoneLight from "../../images/build-phone-light.webp";
import cacheDark from "../../images/cache-dark.webp";
import cacheLight from "../../images/cache-light.webp";
import cachePhoneDark from "../../images/cache-phone-dark.webp";
import cachePhoneLight from "../../images/cache-phone-light.webp";
import imagesDark from "../../images/images-dark.webp";
import imagesLight from "../../images/images-light.webp";
import imagesPhoneDark from "../../images/images-phone-dark.webp";
import imagesPhoneLight from "../../images/images-phone-light.webp";
import sizes from "../../images/app-pictures.json" with { type: "json" };
import type { ArtefactOf } from "../artefact-schema.ts";
import { Note } from "./note.tsx";

type Name = ArtefactOf<"app">["picture"];
interface Files {
  wide: string;
  phone: string;
}

const FILES: { [name in Name]: { light: Files; dark: Files } } = {
  build: {
    light: { wide: buildLight, phone: buildPhoneLight },
    dark: { wide: buildDark, phone: buildPhoneDark },
  },
  images: {
    light: { wide: imagesLight, phone: imagesPhoneLight },
    dark: { wide: imagesDark, phone: imagesPhoneDark },
  },
  cache: {
    light: { wide: cacheLight, phone: cachePhoneLight },
    dark: { wide: cacheDark, phone: cachePhoneDark },
  },
};

export function AppPicture({ picture, alt, note }: ArtefactOf<"app">) {
  return (
    <figure className="app">
      {(["light", "dark"] as const).map((theme) => (
        <picture key={theme} className={`in-${theme}`}>
          <source
            media="(width < 640px)"
            srcSet={FILES[picture][theme].phone}
            {...sizes[`${picture}-phone`]}
          />
          <img
            src={FILES[picture][theme].wide}
            {...sizes[picture]}
            alt={alt}
            loading="lazy"
            decoding="async"
          />
        </picture>
      ))}
      <figcaption>
        <Note text={note} />
      </figcaption>
    </figure>
  );
}
