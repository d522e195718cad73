import { type ApiAccount, type ApiAnswer, callApi } from "./api-account.ts";
import { makePdf } from "./make-pdf.ts";
import type { TestSystem } from "./start-system.ts";

const path = "/api/v1/signature-requests";

export type Requested = {
  id: string;
  /** Where each signer's link leads, at the test's own gateway. */
  links: string[];
  /** `data` of the creation's answer. */
  data: ApiAnswer["body"];
};

export type SigningCaller = {
  /** Makes a request of a one-page PDF. */
  create: (body: object) => Promise<Requested>;
  get: (id: string) => Promise<ApiAnswer["body"]>;
  act: (id: string, act: "cancel" | "remind") => Promise<ApiAnswer>;
  post: (url: string, body: object) => Promise<ApiAnswer>;
  /** Signs with a typed signature placed on the first page. */
  sign: (link: string) => Promise<ApiAnswer>;
};

/** An account's calls about signatures, and its signers'. */
export async function openSigningCaller(system: TestSystem, { call }: ApiAccount): Promise<SigningCaller> {
  const pdf_base64 = Buffer.from(await makePdf()).toString("base64");
  const post = (url: string, body: object) =>
    callApi(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return {
    async create(body) {
      const answer = await call("POST", path, { title: "Lease", pdf_base64, ...body });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      const { data } = answer.body;
      const signers: { sign_url: string }[] = data.signers;
      const links = signers.map(({ sign_url }) => system.baseUrl + new URL(sign_url).pathname);
      return { id: data.id, links, data };
    },
    get: async (id) => (await call("GET", `${path}/${id}`)).body.data,
    act: (id, act) => call("POST", `${path}/${id}/${act}`),
    post,
    sign: (link) =>
      post(`${link}/complete`, {
        consent: true,
        signature: { type: "typed", text: "Ada" },
        placement: { page: 1, x: 50, y: 50, width: 200, height: 40 },
      }),
  };
}

export function people(count: number): { name: string; email: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `Signer ${index + 1}`,
    email: `signer${index + 1}@example.com`,
  }));
}
