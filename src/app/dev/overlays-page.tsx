import { useState } from "react";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { showToast } from "../ui/toast.ts";
import { Toaster } from "../ui/toaster.tsx";

const MARKUP = `<img src=x onerror="document.title='pwned'"><b>Bold</b>`;
const LONG = "W".repeat(200);
const RTL = "\u202Eevil\u202C مهندس";

const ITEMS: readonly MenuItem[] = [
  {
    key: "copy",
    label: "Copy the id",
    icon: "copy",
    run: () => showToast({ text: "Copied tok_9f2kd71xqe" }),
  },
  { key: "docs", label: "Documentation", icon: "bookOpen", to: "/docs" },
  { key: "markup", label: MARKUP },
  { key: "long", label: LONG, note: "owner" },
  { key: "rtl", label: <bdi>{RTL}</bdi>, text: RTL, isChosen: true },
  { key: "delete", label: "Delete…", icon: "trash", isDanger: true, startsGroup: true },
];

const MANY: readonly MenuItem[] = Array.from({ length: 60 }, (_, index) => ({
  key: String(index),
  label: `organization-${index}`,
  note: index % 3 === 0 ? "owner" : "member",
  isChosen: index === 7,
}));

type Shown = "form" | "confirm" | "typed" | "long" | null;

export function OverlaysPage() {
  const [shown, setShown] = useState<Shown>(null);
  const close = () => setShown(null);
  return (
    <>
      <h1>Overlays</h1>
      <div className="row wrap">
        <Menu label="Actions" className="btn" items={ITEMS}>
          Actions
        </Menu>
        <Menu label="Organizations" className="btn" items={MANY} search="Find an organization">
          Organizations
        </Menu>
        {(["form", "confirm", "typed", "long"] as const).map((kind) => (
          <button className="btn" type="button" key={kind} onClick={() => setShown(kind)}>
            Dialog: {kind}
          </button>
        ))}
        <ToastButtons />
      </div>
      {shown === "form" && <FormDialog onClose={close} />}
      {shown === "confirm" && <Confirm onClose={close} />}
      {shown === "typed" && <Confirm onClose={close} typed="web" />}
      {shown === "long" && (
        <Dialog title={`Delete ${LONG}?`} onClose={close} isWide>
          {Array.from({ length: 30 }, (_, index) => (
            <p key={index}>{index % 2 ? MARKUP : LONG}</p>
          ))}
        </Dialog>
      )}
      <Toaster />
    </>
  );
}

function FormDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("web app");
  return (
    <Dialog
      title="New project"
      onClose={onClose}
      footer={
        <>
          <button className="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button className="btn action" type="button" onClick={onClose}>
            Create project
          </button>
        </>
      }
    >
      <Field
        label="Name"
        hint="Letters, digits and dashes."
        error={/\s/.test(name) ? "Letters, digits and dashes. “web-app” is free." : undefined}
      >
        {(control) => (
          <input
            className="input"
            {...control}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}

function Confirm({ typed, onClose }: { typed?: string; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Delete the project ${typed ?? MARKUP}?`}
      confirm="Delete 18.4 GB"
      cancel="Keep it"
      {...(typed && { typed })}
      onConfirm={() => Promise.reject(new Error("The project has a running build. Cancel it first."))}
      onClose={onClose}
    >
      <p>18.4 GB of layers are lost. Its builds stay in the list. This cannot be undone.</p>
    </ConfirmDialog>
  );
}

function ToastButtons() {
  const undone = () => showToast({ text: "Undone" });
  return (
    <>
      <button
        className="btn"
        type="button"
        onClick={() =>
          showToast({ text: "Deleted the tag 2026.10.7", action: { label: "Undo", run: undone } })
        }
      >
        Toast
      </button>
      <button
        className="btn"
        type="button"
        onClick={() => showToast({ text: `Not canceled: ${LONG} ${MARKUP}`, isFailure: true })}
      >
        Failure
      </button>
    </>
  );
}
