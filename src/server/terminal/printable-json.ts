/** What JSON allows in a string, but terminals obey or hide. */
const UNPRINTABLE = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu

/** JSON in which control and invisible characters are escaped, so that it can be printed on a terminal. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNPRINTABLE, (character) => character.split('').map(escaped).join(''))

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
