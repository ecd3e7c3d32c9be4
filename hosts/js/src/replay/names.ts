/** The names that were given, told apart. */
export class Names {
  readonly #given = new Set<string>();

  /** `name`; where it is taken, `2~name`, or the next number that is free. */
  give(name: string): string {
    let given = name;
    for (let number = 2; this.#given.has(given); number += 1) given = `${String(number)}~${name}`;
    this.#given.add(given);
    return given;
  }
}
