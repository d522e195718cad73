/** The certificate's look: a sheet of paper on a screen, plain paper in print, one column on a phone. */
export const stylesheet = `
:root { --ink: #16202e; --soft: #5b6778; --line: #d9dfe7; --seal: #1c3f7a; --paper: #fff; --wash: #f5f7fa; }
* { box-sizing: border-box; }
body { margin: 0; padding: 2.5rem 1rem; background: #e9edf2; color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 54rem; margin: 0 auto; background: var(--paper); padding: 3.5rem 4rem 3rem;
  border-top: 6px solid var(--seal); border-radius: 3px; box-shadow: 0 1px 2px rgb(22 32 46 / .12), 0 12px 40px rgb(22 32 46 / .08); }
header { border-bottom: 1px solid var(--line); padding-bottom: 1.75rem; }
h1, .name { font-family: Charter, "Bitstream Charter", "Noto Serif", Georgia, serif; overflow-wrap: anywhere; }
h1 { font-size: 2.1rem; line-height: 1.2; font-weight: 600; margin: .35rem 0 .75rem; }
h2 { font-size: .8rem; letter-spacing: .1em; text-transform: uppercase; color: var(--seal); margin: 2.5rem 0 1rem; }
p { margin: 0; }
.kind { font-size: .8rem; letter-spacing: .14em; text-transform: uppercase; color: var(--seal); font-weight: 600; }
.lead { font-size: 1.1rem; }
.id, .note { color: var(--soft); font-size: .9rem; margin-top: .25rem; }
.note { margin: -.5rem 0 1.25rem; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: .84em/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
dl { margin: 0; display: grid; grid-template-columns: 8.5rem 1fr; gap: .3rem 1rem; font-size: .92rem; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.fine { font-size: .92em; color: var(--soft); }
ol { margin: 0; padding: 0; }
.signers { list-style: none; display: grid; gap: 1rem; }
.signer { background: var(--wash); border: 1px solid var(--line); border-left: 4px solid var(--seal); border-radius: 4px; padding: 1.1rem 1.4rem 1.2rem; }
.name { font-size: 1.3rem; font-weight: 600; line-height: 1.3; }
.email { color: var(--soft); margin-bottom: .8rem; overflow-wrap: anywhere; }
.facts { gap: .8rem 1rem; }
.trail { list-style: none; margin-left: .45rem; border-left: 2px solid var(--line); }
.entry { position: relative; padding: 0 0 1.5rem 1.75rem; }
.entry:last-child { padding-bottom: 0; }
.entry::before { content: ""; position: absolute; left: -7px; top: .42rem; width: 12px; height: 12px; border-radius: 50%;
  background: var(--paper); border: 2px solid #9aa7b8; }
.entry.signed::before, .entry.sealed::before { background: var(--seal); border-color: var(--seal); }
.entry.cancelled::before, .entry.expired::before { border-color: #a33; }
.what { margin-bottom: .3rem; }
.what time { color: var(--soft); margin-left: .5rem; font-size: .92rem; }
.entry dl { font-size: .85rem; gap: .15rem 1rem; }
.steps { padding-left: 1.25rem; font-size: .92rem; }
.steps li { padding: 0 0 .7rem .35rem; }
.steps li::marker { color: var(--seal); font-weight: 600; }
@media (max-width: 40rem) {
  body { padding: 0; background: var(--paper); }
  main { padding: 1.75rem 1.15rem 2rem; box-shadow: none; border-radius: 0; }
  h1 { font-size: 1.6rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .5rem; }
  .facts { gap: 0; }
  .signer { padding: 1rem 1.1rem .6rem; }
  .what time { display: block; margin-left: 0; }
}
@page { margin: 16mm 14mm; }
@media print {
  body { padding: 0; background: none; font-size: 10pt; }
  main { max-width: none; padding: 0; border: 0; box-shadow: none; }
  h1 { font-size: 20pt; }
  h2 { break-after: avoid; margin-top: 1.8rem; }
  .signer, .entry, .steps li { break-inside: avoid; }
  .signer, .entry.signed::before, .entry.sealed::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
