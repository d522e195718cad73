/** Bytes of a stream, read piece by piece by whoever has the cursor. Nothing is kept of what was read. */
export type ByteCursor = {
  /** What has arrived and is not read yet. */
  readonly unread: Buffer;
  /** Counts the first `count` bytes of `unread` as read. */
  skip: (count: number) => void;
  /** Waits until something is unread; false at the end of the stream. */
  more: () => Promise<boolean>;
};

export function byteCursor(source: AsyncIterable<Uint8Array>): ByteCursor {
  const chunks = source[Symbol.asyncIterator]();
  let unread: Buffer = Buffer.alloc(0);
  return {
    get unread() {
      return unread;
    },
    skip: (count) => {
      unread = unread.subarray(count);
    },
    more: async () => {
      while (unread.length === 0) {
        const { done, value } = await chunks.next();
        if (done === true) return false;
        unread = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      }
      return true;
    },
  };
}
