/**
 * The languages OCR reads: what a caller may name, what `GET /pdf/ocr/languages` lists and what set-up installs.
 * `deploy/packages-ocr.txt` is this table's Debian packages, one a line, for a set-up that has no Node yet.
 */
export type OcrLanguage = {
  /** Tesseract's code: ISO 639-2/T, with the script where one language has two. */
  code: string;
  /** In English. */
  name: string;
  /** Models that recognition in this language also uses, for vertical lines. Not to be asked for by themselves. */
  companions: readonly string[];
};

const language = (code: string, name: string, ...companions: string[]): OcrLanguage => ({
  code,
  name,
  companions,
});

/** In the order of their English names. */
export const ocrLanguages: readonly OcrLanguage[] = [
  language("afr", "Afrikaans"),
  language("sqi", "Albanian"),
  language("ara", "Arabic"),
  language("eus", "Basque"),
  language("ben", "Bengali"),
  language("bul", "Bulgarian"),
  language("cat", "Catalan"),
  language("chi_sim", "Chinese (simplified)", "chi_sim_vert"),
  language("chi_tra", "Chinese (traditional)", "chi_tra_vert"),
  language("hrv", "Croatian"),
  language("ces", "Czech"),
  language("dan", "Danish"),
  language("nld", "Dutch"),
  language("eng", "English"),
  language("est", "Estonian"),
  language("fin", "Finnish"),
  language("fra", "French"),
  language("glg", "Galician"),
  language("deu", "German"),
  language("ell", "Greek"),
  language("heb", "Hebrew"),
  language("hin", "Hindi"),
  language("hun", "Hungarian"),
  language("isl", "Icelandic"),
  language("ind", "Indonesian"),
  language("gle", "Irish"),
  language("ita", "Italian"),
  language("jpn", "Japanese", "jpn_vert"),
  language("kor", "Korean", "kor_vert"),
  language("lav", "Latvian"),
  language("lit", "Lithuanian"),
  language("msa", "Malay"),
  language("nor", "Norwegian"),
  language("fas", "Persian"),
  language("pol", "Polish"),
  language("por", "Portuguese"),
  language("ron", "Romanian"),
  language("rus", "Russian"),
  language("srp", "Serbian"),
  language("slk", "Slovak"),
  language("slv", "Slovenian"),
  language("spa", "Spanish"),
  language("swe", "Swedish"),
  language("tam", "Tamil"),
  language("tel", "Telugu"),
  language("tha", "Thai"),
  language("tur", "Turkish"),
  language("ukr", "Ukrainian"),
  language("urd", "Urdu"),
  language("vie", "Vietnamese"),
];

/** At most this many codes joined by `+`. */
export const maxOcrLanguages = 3;

/** Tells which way up a page is, whatever its language; installed beside the languages. */
export const orientationModel = "osd";

/** The Debian package with a model's data: `chi_sim` → `tesseract-ocr-chi-sim`. */
export function debianPackage(model: string): string {
  return `tesseract-ocr-${model.replaceAll("_", "-")}`;
}

/** Every model that set-up installs, and so every line of `deploy/packages-ocr.txt`. */
export function installedModels(): string[] {
  return [...ocrLanguages.flatMap(({ code, companions }) => [code, ...companions]), orientationModel];
}

/** What is wrong with a `language` value, or null. Says only what the table knows, not what is installed. */
export function languageFault(value: string): string | null {
  const codes = value.split("+");
  if (codes.length > maxOcrLanguages) return `At most ${maxOcrLanguages} languages can be joined by "+".`;
  if (new Set(codes).size < codes.length) return "A language is named twice.";
  const unknown = codes.filter((code) => !ocrLanguages.some((known) => known.code === code));
  if (unknown.length === 0) return null;
  const codeList = ocrLanguages.map(({ code }) => code).join(", ");
  return `Unknown language ${unknown.map((code) => JSON.stringify(code)).join(", ")}. There are: ${codeList}.`;
}
