// Covers all regular expressions of the sources: none takes more than linear time, whatever text it is applied to.
import { checkSync } from 'recheck/lib/browser.js'
import { describe, expect, it } from 'vitest'
import { findBuiltExpressions, findRegularExpressions, type RegularExpression } from './regular-expressions.js'

/** Generous, because an expression that is not decided in time counts as slow. */
const CHECK_TIMEOUT_MS = 60_000
/** Of random texts, for expressions that the checker cannot decide by automata alone. */
const GENERATIONS = 2
/** The same texts in each run. */
const SEED = 1

describe('regular expressions', () => {
  const expressions = findRegularExpressions()

  it.each(expressions)('$place is linear', (expression) => {
    expect(complexity(expression)).toMatch(/^safe|^linear/)
  })

  it('are found', () => {
    expect(expressions.length).toBeGreaterThan(150)
  })

  it('are built from a constant text only', () => {
    expect(findBuiltExpressions()).toEqual([
      // The names of the table of parameters that have sub-keys, which are words.
      { place: 'src/card/read-attributes.ts', argument: expect.stringContaining('Object.entries<Parameter>(fields)') },
      // The rule of a consent banner, from the package of rules that is installed.
      { place: 'src/server/browser/ad-blocker.ts', argument: 'runContext.urlPattern' },
    ])
  })

  it.each([
    ['exponential', '^(a+)+$'],
    ['polynomial', String.raw`^\d*\.?\d+x$`],
    ['polynomial', String.raw`<!--[\s\S]*?-->`],
    ['polynomial', String.raw`(?!x)\s+$`],
  ])('are reported where they are %s: %s', (expected, source) => {
    expect(complexity({ place: 'here', source, flags: '' })).toContain(expected)
  })
})

function complexity({ source, flags }: RegularExpression): string {
  // The checker does not know the flag `v`, which differs from `u` in character classes alone.
  const options = { checker: 'auto', timeout: CHECK_TIMEOUT_MS, maxIteration: GENERATIONS, randomSeed: SEED } as const
  const result = checkSync(source, flags.replace('v', 'u'), options)
  if (result.status === 'unknown') return `not decided: ${result.error.kind}`
  return result.status === 'safe' ? result.complexity.summary : `${result.complexity.summary}: ${result.attack.pattern}`
}
