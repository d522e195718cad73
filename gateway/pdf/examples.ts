/** Examples for the OpenAPI document. */

export const compress = {
  body: { pdf_base64: "JVBERi0xLjcK…", level: "medium" },
  result: {
    pdf_base64: "JVBERi0xLjcK…",
    original_size: 482133,
    compressed_size: 121904,
    savings_percent: 74.72,
    method: "images",
  },
};

export const merge = {
  body: {
    files: [{ pdf_base64: "JVBERi0xLjcK…" }, { pdf_url: "https://files.example.com/appendix.pdf" }],
    page_size: "A4",
  },
  result: {
    pdf_base64: "JVBERi0xLjcK…",
    files_count: 2,
    total_pages: 14,
    size: 220481,
    method: "structure-merge",
  },
};

export const split = {
  body: { pdf_base64: "JVBERi0xLjcK…", mode: "range", options: { pages: [[1, 2], [5]] } },
  result: {
    original_pages: 5,
    files_count: 2,
    files: [
      { pdf_base64: "JVBERi0xLjcK…", pages: [1, 2], page_count: 2, size: 40211, name: "part_1" },
      { pdf_base64: "JVBERi0xLjcK…", pages: [5], page_count: 1, size: 18733, name: "part_2" },
    ],
  },
};

export const ocr = {
  body: { file_url: "https://files.example.com/scan.png", language: "eng+deu", output_format: "json" },
  result: {
    text: "Invoice No. 7",
    word_count: 3,
    char_count: 13,
    method: "tesseract",
    failed_pages: [],
    pages: [
      {
        page: 1,
        text: "Invoice No. 7",
        confidence: 96.1,
        source: "tesseract",
        status: "ok",
        reason: "it is an image",
        angle: 0,
        skew: 0,
        dpi: 300,
      },
    ],
  },
};

export const inspect = {
  body: { pdf_url: "https://files.example.com/contract.pdf" },
  result: {
    file_size: 48211,
    pdf_version: "1.7",
    page_count: 1,
    encryption: null,
    signatures: 0,
    form: "acroform",
    form_fields: 4,
    tagged: true,
    pdf_a: "2b",
    attachments: 0,
    scripts: 0,
    fonts: [{ name: "NotoSans-Regular", embedded: true }],
    images: 1,
    pages: [
      {
        page: 1,
        width: 595.28,
        height: 841.89,
        rotation: 0,
        content: "text",
        reason: "1,204 characters of readable text",
        characters: 1204,
        images: 1,
      },
    ],
    pages_omitted: 0,
  },
};

export const pendingJob = {
  job_id: "job_01kb2v0f5w8x3t9q6r7y1n2m4p",
  operation: "compress",
  status: "queued",
  created_at: "2026-11-21T02:19:00.123Z",
  completed_at: null,
  expires_at: null,
  progress: null,
  error: null,
};
