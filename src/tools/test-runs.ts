import type { InlineConfig } from 'vitest/node'

/** For what the service starts from its source: child processes and workers. */
export const execArgv = ['--import', new URL('../../test/shared/run-typescript.js', import.meta.url).href]

/** How long `expect.poll` waits for processes and browsers, which a busy machine pauses for seconds. */
export const pollTimeouts = { expect: { poll: { timeout: 10_000 } } }

/** After reporters that print long tables. */
const FAILED_TESTS_REPORTER = './test/shared/failed-tests-reporter.ts'

/** Each run has a script of its own in `package.json`; `npm test` and `npm run test:slow` run projects instead. */
export const testRuns = {
  apps: {
    include: ['test/apps/*.test.ts'],
    execArgv,
    testTimeout: 60_000,
    hookTimeout: 240_000,
    ...pollTimeouts,
  },
  bench: {
    include: ['test/bench/**/*.bench.ts'],
    execArgv,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
  drills: {
    include: ['test/drills/**/*.test.ts'],
    execArgv,
    fileParallelism: false,
    globalSetup: 'test/shared/global-setup.ts',
    testTimeout: 120_000,
    hookTimeout: 60_000,
    ...pollTimeouts,
    reporters: ['verbose', './test/drills/drill-reporter.ts', FAILED_TESTS_REPORTER],
  },
  faults: {
    include: ['test/faults/**/*.test.ts'],
    execArgv,
    globalSetup: 'test/shared/global-setup.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    ...pollTimeouts,
    reporters: 'verbose',
  },
  firefox: {
    include: ['test/**/*.firefox.test.ts'],
    execArgv,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    ...pollTimeouts,
  },
  security: {
    include: ['test/security/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    ...pollTimeouts,
    reporters: ['verbose', './test/security/security-reporter.ts', FAILED_TESTS_REPORTER],
  },
  sites: { include: ['test/sites/*.test.ts'], execArgv, testTimeout: 60_000, hookTimeout: 240_000, ...pollTimeouts },
} satisfies Record<string, InlineConfig>

/** The name of a run, which is its mode: `vitest --mode faults`. */
export type TestRun = keyof typeof testRuns

export const isTestRun = (mode: string): mode is TestRun => Object.hasOwn(testRuns, mode)
