import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { createQueryClient } from "./data/query-client.ts";
import { Frame } from "./frame/frame.tsx";
import { guardHistory } from "./ui/leaving/leaving.ts";
import "./styles/frame.css";

// Before the router listens: React draws the next page before a later listener is called.
guardHistory();
const element = document.querySelector("#frame");
if (element)
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <BrowserRouter>
          <Frame />
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>,
  );
