/** What inspection tells of a PDF: the answer's `data`, as the API names it. */

export type InspectData = {
  file_size: number;
  /** As the header says it, `1.7`; null, like all below, when a password is needed. */
  pdf_version: string | null;
  page_count: number | null;
  /** Null when the file is not encrypted. */
  encryption: { password_required: boolean; permissions: Permissions | null } | null;
  /** Signature fields that carry a value. */
  signatures: number | null;
  /** `dynamic-xfa` forms make their pages when opened, and no operation but a reader's can show them. */
  form: "none" | "acroform" | "static-xfa" | "dynamic-xfa" | null;
  /** Field widgets on the pages. */
  form_fields: number | null;
  tagged: boolean | null;
  /** The part and level that the file claims, `2b`; null when it claims none. Nobody has validated it. */
  pdf_a: string | null;
  attachments: number | null;
  scripts: number | null;
  fonts: readonly InspectedFont[] | null;
  images: number | null;
  pages: readonly InspectedPage[] | null;
  /** Pages beyond those in `pages`, of a very long document. */
  pages_omitted: number;
};

/** What the author allows a reader's user (ISO 32000-1 table 22). */
export type Permissions = {
  print: boolean;
  modify: boolean;
  copy: boolean;
  annotate: boolean;
  fill_forms: boolean;
  assemble: boolean;
};

export type InspectedFont = { name: string; embedded: boolean };

export type InspectedPage = {
  page: number;
  /** Points as a reader shows the page: crop box, rotation and user unit applied. */
  width: number;
  height: number;
  /** Degrees clockwise by which the page's own space is turned to be shown. */
  rotation: 0 | 90 | 180 | 270;
  /** `text` is read by OCR; `scan` is recognised, having images; `drawing` too, having none; `blank` has nothing. */
  content: "text" | "scan" | "drawing" | "blank" | "unreadable";
  /** Why it is taken for that. */
  reason: string;
  characters: number;
  images: number;
};
