import type { Transaction } from "../../platform/database.ts";
import { newId } from "../../platform/new-id.ts";
import type { Hand } from "../delivering/take-in-hand.ts";
import type { Task } from "../delivering/task.ts";
import type { NumberedDelivery } from "./number-deliveries.ts";

/**
 * Writes the deliveries and counts their endpoints' sequences up. Those due now, as far as there is room, are leased
 * to this process as they are written and returned: they need no claim.
 */
export async function insertDeliveries(
  trx: Transaction,
  { processId, secretBox, room, left }: Hand,
  deliveries: readonly NumberedDelivery[],
  now: Date,
): Promise<Task[]> {
  if (deliveries.length === 0) return [];
  // In ascending order, so that ids of one moment sort as their events came.
  const ids = deliveries.map(() => newId("delivery")).sort();
  const inHand = new Map<string, number>();
  const tasks: Task[] = [];
  const rows = deliveries.map((delivery, index) => {
    const { event, endpointId, sequence, status, dueAt } = delivery;
    const id = ids[index] as string;
    const held = inHand.get(endpointId) ?? 0;
    const isDue = dueAt !== null && dueAt <= now;
    const begins = isDue && held < room(endpointId);
    if (isDue && !begins) left(endpointId);
    if (begins) {
      inHand.set(endpointId, held + 1);
      tasks.push(freshTask(id, delivery, secretBox));
    }
    return {
      id,
      endpoint_id: endpointId,
      event_id: event.id,
      sequence,
      status,
      due_at: begins ? null : dueAt,
      lease_by: begins ? processId : null,
      order_key: event.order?.key ?? null,
      order_sequence: event.order?.sequence ?? null,
      sealed_secret: event.callAddress?.sealedSecret ?? null,
      created_at: now,
    };
  });
  await trx("deliveries").insert(rows);
  await countUp(trx, deliveries);
  return tasks;
}

function freshTask(
  deliveryId: string,
  { event, endpointId, sequence }: NumberedDelivery,
  secretBox: Hand["secretBox"],
): Task {
  const sealed = event.callAddress?.sealedSecret ?? null;
  return {
    deliveryId,
    endpointId,
    sequence,
    tries: 0,
    earlierTries: 0,
    orderKey: event.order?.key ?? null,
    callSecret: sealed === null ? null : secretBox.open(sealed),
    probe: false,
    event: { id: event.id, type: event.type, jobId: event.jobId, body: event.body },
  };
}

async function countUp(trx: Transaction, deliveries: readonly NumberedDelivery[]): Promise<void> {
  const last = new Map(deliveries.map(({ endpointId, sequence }) => [endpointId, sequence]));
  await trx("endpoints")
    .whereIn("id", [...last.keys()])
    .update({ last_sequence: trx.raw(`CASE id ${"WHEN ? THEN ? ".repeat(last.size)}END`, [...last].flat()) });
}
