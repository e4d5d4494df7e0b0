interface TextFile {
  name: string;
  type: string;
  text: string;
}

/** Saves a text of this page as a file, without a request to the server. */
export function downloadText({ name, type, text }: TextFile): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has saved the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
