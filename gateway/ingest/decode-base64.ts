/** Why a text is no base64. `message` is for the caller. */
export class BadBase64 extends Error {}

/** Decodes base64 piece by piece, strictly: what a lenient decoder drops would make another file in silence. */
export type Base64Decoder = {
  /** The bytes that are complete; they may lie in the piece itself, which is written over. */
  write: (piece: Buffer) => Buffer;
  /** The last bytes. */
  end: () => Buffer;
};

const longestPrefix = 256;

/**
 * Standard or URL-safe alphabet (RFC 4648 §4, §5), padding optional, white space and a `data:…;base64,` prefix
 * (RFC 2397) tolerated. `write` and `end` throw BadBase64.
 */
export function createBase64Decoder(): Base64Decoder {
  /** What has come of a quantum that is not complete, or the whole beginning while it may be a prefix. */
  let carry = "";
  let padding = 0;
  let atStart = true;

  function write(piece: Buffer): Buffer {
    const text = padding === 0 ? carry + piece.toString("latin1") : piece.toString("latin1");
    if (!atStart) return take(text, piece);
    const rest = afterPrefix(text);
    if (rest === null) {
      carry = text;
      return piece.subarray(0, 0);
    }
    atStart = false;
    return take(rest, piece);
  }

  function take(text: string, room: Buffer): Buffer {
    const whole = text.length - (text.length % 4);
    // Where every character counts, four make three bytes: a shorter result tells of others, and those are looked at.
    const fits = padding === 0 && whole * 3 <= room.length * 4;
    const decoded = fits ? room.write(text.slice(0, whole), "base64") : -1;
    if (decoded * 4 !== whole * 3) return takeCarefully(text);
    carry = text.slice(whole);
    return room.subarray(0, decoded);
  }

  /** The same for a text with white space, padding or faults in it. */
  function takeCarefully(text: string): Buffer {
    const parts = /^([A-Za-z0-9+/_-]*)(=*)$/.exec(text.replace(/[ \t\r\n\f\v]+/g, ""));
    if (parts === null) throw new BadBase64("holds a character that is not base64");
    const [, characters = "", pads = ""] = parts;
    if (padding > 0 && characters !== "") throw new BadBase64("goes on after its padding");
    if (padding > 0) {
      padding += pads.length;
      return Buffer.alloc(0);
    }
    padding = pads.length;
    const whole = characters.length - (characters.length % 4);
    carry = characters.slice(whole);
    return Buffer.from(characters.slice(0, whole), "base64");
  }

  function end(): Buffer {
    if (carry.startsWith("data:")) throw new BadBase64("has a data: prefix that does not end");
    // What is left has not been looked at unless there was padding.
    const last = padding === 0 ? takeCarefully(carry) : Buffer.alloc(0);
    if (carry.length === 1) throw new BadBase64("was cut off inside a character");
    if (padding > 2 || (padding > 0 && carry.length + padding !== 4))
      throw new BadBase64("has the wrong padding");
    return Buffer.concat([last, Buffer.from(carry, "base64")]);
  }

  return { write, end };
}

/** What follows the prefix, if there is one; null while that cannot be told yet. */
function afterPrefix(text: string): string | null {
  const start = text.trimStart();
  if (start.length < 5 && "data:".startsWith(start)) return null;
  if (!start.startsWith("data:")) return text;
  const comma = start.indexOf(",");
  if (comma !== -1 && /;base64$/i.test(start.slice(0, comma))) return start.slice(comma + 1);
  if (comma === -1 && start.length <= longestPrefix) return null;
  throw new BadBase64("has a data: prefix without ;base64 and a comma");
}
