import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { ComponentPages } from "./dev/component-pages.tsx";
import "./styles/frame.css";

const element = document.querySelector("#components");
if (element)
  createRoot(element).render(
    <StrictMode>
      <BrowserRouter basename="/app/dev/components">
        <ComponentPages />
      </BrowserRouter>
    </StrictMode>,
  );
