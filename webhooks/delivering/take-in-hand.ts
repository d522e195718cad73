import type { Transaction } from "../../platform/database.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { readTasks, type Task } from "./task.ts";

export type Hand = {
  secretBox: SecretBox;
  /** Under this name the process leases what it has in hand. */
  processId: string;
  /** How many more deliveries to an endpoint it would take. */
  room: (endpointId: string) => number;
  /** Told when there was more for an endpoint than room. */
  left: (endpointId: string) => void;
};

/** Leases deliveries that the caller's transaction has locked, as far as there is room; the rest stays due. */
export async function takeInHand(
  trx: Transaction,
  { secretBox, processId, room, left }: Hand,
  deliveryIds: readonly string[],
): Promise<Task[]> {
  const taken = new Map<string, number>();
  const tasks = (await readTasks(trx, secretBox, deliveryIds)).filter(({ endpointId }) => {
    const count = (taken.get(endpointId) ?? 0) + 1;
    taken.set(endpointId, count);
    if (count <= room(endpointId)) return true;
    left(endpointId);
    return false;
  });
  const ids = tasks.map(({ deliveryId }) => deliveryId);
  if (ids.length > 0) {
    await trx("deliveries").whereIn("id", ids).update({ due_at: null, lease_by: processId });
  }
  return tasks;
}
