/** The spellings of one actor kind. */
export type ActorNames = {
  /** `price-watch`: folder and address. */
  readonly kind: string;
  /** `PriceWatch`: types and schemas. */
  readonly type: string;
  /** `priceWatch`: values. */
  readonly value: string;
  /** `PW`: prefix of the rule ids in the machine's header. */
  readonly rules: string;
};

function capitalise(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Throws a RangeError when `kind` cannot be the kind of an address. */
export function nameActor(kind: string, rules?: string): ActorNames {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(kind) || kind.length < 2 || kind.length > 40) {
    throw new RangeError(
      `expected a kind such as price-watch (2 to 40 small letters, digits, dashes), found "${kind}"`,
    );
  }
  const words = kind.split('-');
  const initials = words.length > 1 ? words.map((word) => word.slice(0, 1)).join('') : kind.slice(0, 2);
  const prefix = rules ?? initials.slice(0, 3).toUpperCase();
  if (!/^[A-Z]{1,3}$/.test(prefix))
    throw new RangeError(`expected one to three capital letters for --rules, found "${prefix}"`);
  const type = words.map(capitalise).join('');
  return { kind, type, value: type.slice(0, 1).toLowerCase() + type.slice(1), rules: prefix };
}
