import { inject, it } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    isSlowRun: boolean
  }
}

/** Whether this is `npm run test:slow`, which runs all cases of a `.matrix.test.ts` file; `npm test` runs the plain ones. */
export const isSlowRun = inject('isSlowRun')

/** Cases of a table that only `npm run test:slow` runs. */
export const slowCases = <Case>(...cases: Case[]): Case[] => (isSlowRun ? cases : [])

/** A test that only `npm run test:slow` runs. */
export const slowIt = it.runIf(isSlowRun)
