import t from "tap";
import { UploadedFile } from "../../../platform/contracts/http-api/file-input.ts";
import { splitBody } from "../../../platform/contracts/http-api/pdf.ts";

const file = new UploadedFile({ key: "jobs/job_1/abc", sha256: "abc", size: 3 } as never);

const placesOf = (body: object) => {
  const parsed = splitBody.safeParse({ pdf_base64: file, ...body });
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join("."));
};

t.test("the body of a split", async (t) => {
  t.test("takes null options as left out, as clients with typed models send them", async (t) => {
    const options = { num_files: 2, pages: null, pages_per_file: null };
    t.same(placesOf({ mode: "equal", options }), []);
    t.same(placesOf({ mode: "equal", options: { num_files: null } }), ["options.num_files"]);
  });

  t.test("demands the option of its mode and takes no other", async (t) => {
    t.same(placesOf({ mode: "range" }), ["options.pages"]);
    t.same(placesOf({ mode: "fixed", options: { pages_per_file: 1, num_files: 2 } }), ["options.num_files"]);
    t.same(placesOf({ options: { num_files: 2 } }), ["options.num_files"]);
  });
});
