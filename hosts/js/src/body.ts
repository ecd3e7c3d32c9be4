/** Request bodies, put together from what is new of them. */

/** What a request says of its body. */
interface New {
  /** How many bytes of the body before stand. */
  readonly keep: number;
  /** What follows them. */
  readonly tail: string;
}

/** The next request of the session. */
interface Next extends New {
  readonly number: number;
  /** The body's length in bytes. */
  readonly length: number;
}

/** The last piece of a text, after those before it. */
interface Piece {
  readonly before: Piece | undefined;
  /** How many bytes come before it. */
  readonly start: number;
  readonly text: string;
  /** The text up to its end: a string that the engine puts together when somebody reads it. */
  readonly whole: string;
}

/**
 * The bodies of one session. The next one costs what is new of it and what goes of the one before:
 * pieces are joined, and only the piece in which the new text begins is looked at. To cut a joined
 * string would make the engine copy all of it.
 */
export class Bodies {
  #last: Piece | undefined;
  #bytes = 0;

  /**
   * The next body.
   *
   * @throws a `RangeError` if it keeps more than the body before has, or a part of a character. Then
   * the last body is still the one before.
   */
  next({ number, keep, tail, length }: Next): string {
    this.#last = this.#following(`request ${String(number)}`, { keep, tail });
    this.#bytes = length;
    return this.#last.whole;
  }

  /**
   * A body beside the last one, which stays the last.
   *
   * @throws as {@link Bodies.next}.
   */
  beside(request: New): string {
    return this.#following('the request for a summary', request).whole;
  }

  /** `name` is what errors call the request. */
  #following(name: string, { keep, tail }: New): Piece {
    if (keep > this.#bytes) {
      const has = `the body before it has ${String(this.#bytes)}`;
      throw new RangeError(`${name} keeps ${String(keep)} bytes, and ${has}`);
    }
    return piece(this.#kept(keep), keep, tail);
  }

  /** The first bytes of the last body. */
  #kept(bytes: number): Piece | undefined {
    let end = this.#bytes;
    let last = this.#last;
    while (last !== undefined && last.start >= bytes) {
      end = last.start;
      last = last.before;
    }
    if (last === undefined || end === bytes) return last;
    return piece(last.before, last.start, withoutEnd(last.text, end - bytes));
  }
}

function piece(before: Piece | undefined, start: number, text: string): Piece {
  return { before, start, text, whole: before === undefined ? text : before.whole + text };
}

/** A text, in which surrogates stand in pairs, without the last bytes of its UTF-8. */
function withoutEnd(text: string, bytes: number): string {
  let end = text.length;
  let left = bytes;
  while (left > 0 && end > 0) {
    const size = sizeOf(text.charCodeAt(end - 1));
    left -= size;
    end -= size === 4 ? 2 : 1;
  }
  if (left === 0) return text.slice(0, end);
  throw new RangeError('a request keeps a part of a character of the body before it');
}

/** How many bytes of UTF-8 the character has that ends with a UTF-16 unit. */
function sizeOf(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xdc00 && unit <= 0xdfff ? 4 : 3;
}
