import t from "tap";
import { createSlots, type Leave } from "../../workers/slots.ts";

const never = new AbortController().signal;

t.test("turns in a worker's slots", async (t) => {
  t.test("no more at once than there are slots", async (t) => {
    const slots = createSlots(2);
    const leave = await slots.enter(null, never);
    await slots.enter("long", never);
    t.equal(slots.busy(), 2);
    t.equal(slots.tryEnter(), null);
    leave();
    leave();
    t.equal(slots.busy(), 1, "leaving twice frees one slot");
    t.ok(slots.tryEnter());
  });

  t.test("new jobs and pages of long ones alternate, and the long ones among themselves", async (t) => {
    const slots = createSlots(1);
    const order: string[] = [];
    let leave = await slots.enter(null, never);
    const leaving: Leave[] = [];
    const wait = (owner: string | null) =>
      void slots.enter(owner, never).then((left) => {
        order.push(owner ?? "new");
        leaving.push(left);
      });
    for (const owner of ["A", "A", "A", "B", "B", null, null]) wait(owner);
    for (let turns = 0; turns < 7; turns += 1) {
      leave();
      await Promise.resolve();
      leave = leaving.shift() as Leave;
    }
    t.same(order, ["A", "new", "B", "new", "A", "B", "A"]);
  });

  t.test("who gives up waiting takes no turn", async (t) => {
    const slots = createSlots(1);
    const leave = await slots.enter(null, never);
    const stop = new AbortController();
    const given = t.rejects(slots.enter("A", stop.signal), { message: "cancelled" });
    const next = slots.enter("B", never);
    stop.abort(new Error("cancelled"));
    await given;
    leave();
    await next;
    t.equal(slots.busy(), 1);
    await t.rejects(slots.enter("A", stop.signal), { message: "cancelled" });
  });
});
