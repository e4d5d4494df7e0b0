import type { ReactNode } from "react";

interface Props {
  /** The form's id: the buttons stand beside it, in the dialog's footer. */
  form: string;
  isBusy: boolean;
  onClose: () => void;
  /** What the form does. */
  children: ReactNode;
}

/** The footer of a dialog that asks for something. */
export function FormButtons({ form, isBusy, onClose, children }: Props) {
  return (
    <>
      <button className="btn" type="button" onClick={onClose}>
        Cancel
      </button>
      <button className="btn act" type="submit" form={form} aria-busy={isBusy} disabled={isBusy}>
        {children}
      </button>
    </>
  );
}
