/** One signature request, as the examples of the OpenAPI document tell it. */
export const requestExample = {
  id: "sr_01kb2v0f5w8x3t9q6r7y1n2m4p",
  status: "in_progress",
  title: "Lease of 12 Elm Street",
  signers: [
    {
      name: "Ada Lovelace",
      email: "ada@example.com",
      order: 1,
      status: "signed",
      signed_at: "2026-11-21T09:12:44.018Z",
      signature_hash: "5f0c2d9c1a7b44e0b9d7a6f3c1e2d4b5a69788f0e1d2c3b4a5968778695a4b3c",
    },
    {
      name: "Grace Hopper",
      email: "grace@example.com",
      order: 2,
      status: "pending",
      signed_at: null,
      signature_hash: null,
    },
  ],
  external_id: "lease-2026-118",
  webhook_tag: "leases",
  enforce_order: false,
  created_at: "2026-11-21T08:00:00.000Z",
  expires_at: "2026-11-28T08:00:00.000Z",
  completed_at: null,
  cancelled_at: null,
};

export const detailExample = {
  ...requestExample,
  message: "Please sign before Friday.",
  metadata: { property: 118 },
  download_url: null,
  certificate_url: null,
  document_sha256: null,
  pades_level: null,
};

export const createdExample = {
  ...detailExample,
  status: "pending",
  signers: requestExample.signers.map((signer, index) => ({
    ...signer,
    status: "pending",
    signed_at: null,
    signature_hash: null,
    sign_url: `https://sign.example.com/sign/01kb2v0f5w8x3t9q6r7y1n2m${index}q…`,
  })),
};

export const createExample = {
  title: "Lease of 12 Elm Street",
  pdf_base64: "JVBERi0xLjcK…",
  signers: [
    {
      name: "Ada Lovelace",
      email: "ada@example.com",
      fields: [{ type: "signature", page: 1, x: 72, y: 640, width: 180, height: 48 }],
    },
    { name: "Grace Hopper", email: "grace@example.com" },
  ],
  message: "Please sign before Friday.",
  external_id: "lease-2026-118",
  metadata: { property: 118 },
  webhook_tag: "leases",
};

export const auditExample = {
  events: [
    {
      sequence: 1,
      kind: "created",
      at: "2026-11-21T02:19:00.123Z",
      actor: "key:key_01kb2v0f5w8x3t9q6r7y1n2m4p",
      ip: "198.51.100.7",
      user_agent: "curl/8.5.0",
      document_sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      details: {},
      previous_hash: "0000000000000000000000000000000000000000000000000000000000000000",
      hash: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
    },
  ],
  pagination: { page: 1, per_page: 20, total: 1, total_pages: 1 },
};
