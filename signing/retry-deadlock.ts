/** MySQL's "deadlock found" and "lock wait timeout": the transaction was undone, and another try may succeed. */
const lockErrors = [1213, 1205];
const tries = 5;

/** Runs a transaction again when the database gave it up for another's sake. */
export async function retryDeadlock<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      const { errno } = error as { errno?: number };
      if (attempt === tries || errno === undefined || !lockErrors.includes(errno)) throw error;
    }
  }
}
