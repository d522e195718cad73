import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import { isReceiversFault } from "../delivering/meaning.ts";
import type { Result } from "../delivering/record-results.ts";
import { disableEndpoint } from "./disable-endpoint.ts";
import { noteRecovery } from "./enable-endpoint.ts";
import type { EndpointRow } from "./endpoint-rows.ts";

/** Nothing but failures for this long, and a webhook is switched off. */
export const patienceMs = 5 * 24 * 3600 * 1000;

type Deps = {
  db: Database;
  /** Tells all processes to read the endpoint anew. */
  tellChanged: (endpointId: string) => void;
  log: Logger;
  now: () => Date;
};

/** What results say about their endpoints. Costs a healthy endpoint nothing: only changes are written. */
export function createNoteHealth({ db, tellChanged, log, now }: Deps) {
  return async function noteHealth(results: readonly Result[]): Promise<void> {
    // The last word of a batch counts: one success among failures is not an outage.
    const last = new Map<string, Result>();
    for (const result of results) {
      const { endpoint, outcome } = result.attempt;
      const isTest = result.task.event.type === "webhook.test";
      if (endpoint.kind === "call" || isTest || outcome === "internal_error") continue;
      if (last.get(endpoint.id)?.attempt.outcome !== "delivered") last.set(endpoint.id, result);
    }
    for (const result of last.values()) await noteOne(result);
  };

  async function noteOne({ task, attempt: { endpoint, outcome } }: Result): Promise<void> {
    const { id, failing_since } = endpoint;
    const at = now();
    if (outcome === "delivered") {
      if (failing_since === null && !task.probe) return;
      if (await noteRecovery(db, id)) changed(id, "endpoint recovered");
    } else if (outcome === "gone") {
      if (await disableEndpoint(db, id, "gone", at)) changed(id, "endpoint was disabled by 410");
    } else if (failing_since === null) {
      await db<EndpointRow>("endpoints")
        .where({ id })
        .whereNull("failing_since")
        .update({ failing_since: at });
      tellChanged(id);
    } else if (isReceiversFault(outcome) && at.getTime() - failing_since.getTime() >= patienceMs) {
      if (await disableEndpoint(db, id, "failures", at)) changed(id, "endpoint was disabled by failures");
    }
  }

  function changed(endpointId: string, what: string): void {
    log.info({ endpointId }, what);
    tellChanged(endpointId);
  }
}
