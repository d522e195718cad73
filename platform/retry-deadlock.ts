/** MySQL's "deadlock found" and "lock wait timeout": the transaction was undone, and another try may succeed. */
const lockErrors = [1213, 1205];
const tries = 5;

/**
 * Runs a transaction again when the database gave it up for another's sake: it must hold nothing over from a try
 * that was rolled back.
 * @param alsoRetried further MySQL error numbers that another try can mend
 */
export async function retryDeadlock<Result>(
  transaction: () => Promise<Result>,
  alsoRetried: readonly number[] = [],
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      const { errno } = error as { errno?: number };
      const mayBeMended = errno !== undefined && [...lockErrors, ...alsoRetried].includes(errno);
      if (attempt === tries || !mayBeMended) throw error;
    }
  }
}
