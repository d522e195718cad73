/** Pages to recognise: images whose text is known. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";

export type TruePage = { name: string; language: string; path: string; truth: string };

// Article 1 of the Universal Declaration of Human Rights: the one text that exists in every language.
const articles: readonly [language: string, font: string, text: string][] = [
  [
    "eng",
    "DejaVu Serif",
    "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.",
  ],
  [
    "deu",
    "DejaVu Serif",
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen.",
  ],
  [
    "fra",
    "DejaVu Serif",
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.",
  ],
  [
    "spa",
    "DejaVu Serif",
    "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.",
  ],
  [
    "rus",
    "DejaVu Serif",
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.",
  ],
  [
    "ell",
    "DejaVu Serif",
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.",
  ],
  [
    "ara",
    "Noto Naskh Arabic",
    "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.",
  ],
  [
    "hin",
    "Noto Sans Devanagari",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।",
  ],
  [
    "chi_sim",
    "Noto Sans CJK SC",
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
  ],
  [
    "jpn",
    "Noto Sans CJK JP",
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。",
  ],
  [
    "kor",
    "Noto Sans CJK KR",
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
  ],
];

// A4 at 300 dpi.
const [width, height, margin] = [2480, 3508, 250];

/** A clean page a language, set in 12 points until it is full. */
export async function drawPages(folder: string): Promise<TruePage[]> {
  const pages: TruePage[] = [];
  for (const [language, font, article] of articles) {
    const { truth, drawn } = await fillPage(article, font);
    const page = sharp({ create: { width, height, channels: 3, background: "white" } });
    const image = await page
      .composite([{ input: drawn, left: margin, top: margin }])
      .withMetadata({ density: 300 });
    const path = join(folder, `${language}.png`);
    await writeFile(path, await image.flatten().png().toBuffer());
    pages.push({ name: `${language} drawn`, language, path, truth });
  }
  return pages;
}

async function fillPage(article: string, font: string) {
  for (let paragraphs = 24; ; paragraphs -= 2) {
    const truth = Array.from({ length: paragraphs }, (_, index) => `${index + 1}. ${article}`).join("\n\n");
    const text = {
      text: truth,
      font: `${font} 12`,
      width: width - 2 * margin,
      dpi: 300,
      wrap: "word" as const,
    };
    const drawn = await sharp({ text })
      .toColourspace("b-w")
      .negate()
      .png()
      .toBuffer({ resolveWithObject: true });
    if (drawn.info.height <= height - 2 * margin) return { truth, drawn: drawn.data };
  }
}
