import fc from 'fast-check'
import { isPageError } from '../../src/query/index.js'

/** Texts of these tokens and of any characters. */
export const textOf = (...tokens: string[]) =>
  fc
    .array(fc.oneof(fc.constantFrom(...tokens), fc.string({ unit: 'binary', maxLength: 4 })), {
      maxLength: 60,
      size: 'max',
    })
    .map((parts) => parts.join(''))

/** Runs a parser on texts of its language; what it throws must be a `PageError`. */
export function expectReadOrRejected<Result>(
  text: fc.Arbitrary<string>,
  parse: (text: string) => Result,
  check: (result: Result, text: string) => void = () => {},
): void {
  const read = (text: string): { result: Result } | undefined => {
    try {
      return { result: parse(text) }
    } catch (error) {
      if (!isPageError(error)) throw error
      return undefined
    }
  }
  fc.assert(
    fc.property(text, (text) => {
      const outcome = read(text)
      if (outcome) check(outcome.result, text)
    }),
    { seed: 1, numRuns: 300 },
  )
}
