import type { ReactNode } from "react";

interface Props {
  /** The form's id: the buttons are outside of it, in the dialog's footer. */
  form: string;
  isBusy: boolean;
  onClose: () => void;
  /** The form's action. */
  children: ReactNode;
}

/** The footer of a dialog with a form. */
export function FormButtons({ form, isBusy, onClose, children }: Props) {
  return (
    <>
      <button className="btn" type="button" onClick={onClose}>
        Cancel
      </button>
      <button className="btn action" type="submit" form={form} aria-busy={isBusy} disabled={isBusy}>
        {children}
      </button>
    </>
  );
}
