import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { Frame } from "./frame/frame.tsx";
import { guardHistory } from "./ui/leaving/leaving.ts";

export function drawFrame(client: QueryClient): void {
  // Before the router listens: React draws the next page before a later listener is called.
  guardHistory();
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
}
