import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { createQueryClient } from "./data/query-client.ts";
import { startReads } from "./frame/early-reads.ts";
import { Frame } from "./frame/frame.tsx";
import { loadScreen } from "./frame/frame-routes.tsx";
import { guardHistory } from "./ui/leaving/leaving.ts";
import "./styles/frame.css";

// Before the router listens: React draws the next page before a later listener is called.
guardHistory();
const client = createQueryClient();
loadScreen(location.pathname);
void startReads(client, location);
const element = document.querySelector("#frame");
if (element)
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <BrowserRouter>
          <Frame />
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>,
  );
