/**
 * The attribute in which documents carry vectors. It is stored with the document, but has no words and no columns, and no hit
 * shows it: whoever wants it reads it with `readDocument`.
 */
export const VECTORS = "_vectors";
