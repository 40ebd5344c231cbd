import type { Field } from './fields.js'
import { refuseWord } from './refuse-word.js'

export type Value = string | number | boolean

/**
 * Reads the text of one word: numbers and durations become numbers, durations milliseconds.
 *
 * @param name  What an error names: the word, with what a user chose of it.
 * @throws      {PageError} The code of the field, with what was expected.
 */
export function readValue({ type, pattern, values, min, max, code }: Field, name: string, text: string): Value {
  const match = pattern?.exec(code === 'EHEADERS' ? `${name}:${text}` : text)
  const number = parseFloat(text) * ({ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match?.[3] as 's'] ?? 1)
  // Without bounds, or without a number, neither comparison is true.
  const isInRange = !(number < min! || number > max!)
  const isFit = match && isInRange && (name !== 'url' || URL.canParse(text))
  return (
    // An empty value means true, for words that can be true.
    values?.find((value) => value.toString() === (text || 'true')) ??
    (isFit
      ? max
        ? number
        : text
      : refuseWord(name, `needs ${max ? `${type} ${min}..${max}` : String(values ?? type)}`, code))
  )
}
