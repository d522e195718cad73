/**
 * The hands that a typed signature can be written in: one list for the signing page, which shows them, and for the
 * sealer, which draws them. All are under the SIL Open Font License. Ids are stored with signatures: never renamed.
 */
export const scriptFontIds = ["caveat", "dancing-script", "great-vibes"] as const;
export type ScriptFontId = (typeof scriptFontIds)[number];

export type ScriptFont = {
  id: ScriptFontId;
  /** For CSS, and for whoever chooses. */
  family: string;
  /** The TrueType file, as a module specifier: the page's build copies it, the sealer resolves and reads it. */
  file: string;
};

/** In the order in which they are offered; the first is the default. */
export const scriptFonts: readonly ScriptFont[] = [
  {
    id: "caveat",
    family: "Caveat",
    file: "@expo-google-fonts/caveat/400Regular/Caveat_400Regular.ttf",
  },
  {
    id: "dancing-script",
    family: "Dancing Script",
    file: "@expo-google-fonts/dancing-script/400Regular/DancingScript_400Regular.ttf",
  },
  {
    id: "great-vibes",
    family: "Great Vibes",
    file: "@expo-google-fonts/great-vibes/400Regular/GreatVibes_400Regular.ttf",
  },
];
