import type { TestProjectConfiguration } from 'vitest/config'
import type { InlineConfig } from 'vitest/node'

/** For what the service starts from its source: child processes and workers. */
const execArgv = ['--import', new URL('../../test/shared/run-typescript.js', import.meta.url).href]

/** How long `expect.poll` waits for processes and browsers, which a busy machine pauses for seconds. */
const pollTimeouts = { expect: { poll: { timeout: 10_000 } } }

/** After reporters that print long tables. */
const FAILED_TESTS_REPORTER = './test/shared/failed-tests-reporter.ts'

/** The runs with their own scripts in `package.json`; `npm test` and `npm run test:slow` run projects instead. */
export const testRuns = {
  apps: {
    include: ['test/apps/*.test.ts'],
    execArgv,
    testTimeout: 120_000,
    hookTimeout: 600_000,
    ...pollTimeouts,
  },
  bench: {
    include: ['test/bench/**/*.bench.ts'],
    execArgv,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    reporters: 'verbose',
  },
  drills: {
    include: ['test/drills/**/*.test.ts'],
    execArgv,
    fileParallelism: false,
    globalSetup: 'test/shared/global-setup.ts',
    testTimeout: 300_000,
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
  sites: {
    include: ['test/sites/*.test.ts'],
    execArgv,
    testTimeout: 60_000,
    hookTimeout: 240_000,
    ...pollTimeouts,
    reporters: 'verbose',
  },
} satisfies Record<string, InlineConfig>

/** The name of a run, which is its mode: `vitest --mode faults`. */
export type TestRun = keyof typeof testRuns

export const isTestRun = (mode: string): mode is TestRun => Object.hasOwn(testRuns, mode)

/** Imported when tests run, because every build reads this file too, and they take a second to load. */
const loadPlugins = async () => ({
  react: (await import('@vitejs/plugin-react')).default,
  playwright: (await import('@vitest/browser-playwright')).playwright,
  storybookTest: (await import('@storybook/addon-vitest/vitest-plugin')).storybookTest,
})

/** The projects of `npm test`. */
export async function testProjects(): Promise<TestProjectConfiguration[]> {
  const { react, playwright, storybookTest } = await loadPlugins()
  return [
    {
      test: {
        name: 'node',
        exclude: ['**/*.{dom,browser,slow,firefox}.test.ts'],
        environment: 'node',
        execArgv,
        // Loading the service's dependencies for each file again takes a third of the time of all tests.
        isolate: false,
        globalSetup: 'test/shared/global-setup.ts',
        include: [
          'test/{card,query,client,command-line,proxy,testing,server,static,cli,tools,project,docs,end-to-end}/**/*.test.ts',
        ],
        provide: { isSlowRun: false },
        testTimeout: 30_000,
        hookTimeout: 60_000,
        ...pollTimeouts,
      },
    },
    {
      plugins: [react()],
      test: {
        name: 'dom',
        environment: 'jsdom',
        pool: 'threads',
        isolate: false,
        include: ['test/{react,embed,testing,playground,tools}/**/*.dom.test.{ts,tsx}'],
        setupFiles: 'test/shared/set-async-timeout.ts',
        testTimeout: 30_000,
      },
    },
    {
      plugins: [react()],
      // Vite would discover it only when a page imports it, and reload the page in the middle of a test.
      optimizeDeps: { include: ['pretty-bytes'] },
      test: { ...browser(playwright), exclude: ['**/*.slow.browser.test.{ts,tsx}'] },
    },
    {
      plugins: [storybookTest({ configDir: 'stories/.storybook', tags: { exclude: ['slow'] } })],
      test: storybook(playwright),
    },
  ]
}

/** The projects of `npm run test:slow`. */
export async function slowProjects(): Promise<TestProjectConfiguration[]> {
  const { react, playwright, storybookTest } = await loadPlugins()
  return [
    {
      test: {
        name: 'node',
        include: ['test/**/*.{slow,matrix}.test.ts'],
        provide: { isSlowRun: true },
        execArgv,
        globalSetup: 'test/shared/global-setup.ts',
        testTimeout: 120_000,
        hookTimeout: 60_000,
        ...pollTimeouts,
      },
    },
    {
      plugins: [react()],
      test: {
        name: 'react-18',
        environment: 'jsdom',
        pool: 'threads',
        isolate: false,
        include: ['test/react/**/*.dom.test.tsx'],
        // React 18 hides no trees.
        exclude: ['test/react/hidden-trees.dom.test.tsx'],
        setupFiles: ['test/react/load-react-18.ts', 'test/shared/set-async-timeout.ts'],
        testTimeout: 30_000,
      },
    },
    {
      plugins: [react()],
      test: { ...browser(playwright), include: ['test/**/*.slow.browser.test.{ts,tsx}'] },
    },
    {
      plugins: [storybookTest({ configDir: 'stories/.storybook', tags: { include: ['slow'] } })],
      test: storybook(playwright),
    },
  ]
}

type Project = Exclude<TestProjectConfiguration, string | Promise<unknown> | ((...args: never[]) => unknown)>
type Playwright = Awaited<ReturnType<typeof loadPlugins>>['playwright']

const browser = (playwright: Playwright): Project['test'] => ({
  name: 'browser',
  browser: chromium(playwright),
  include: ['test/{react,embed,playground}/**/*.browser.test.{ts,tsx}'],
  testTimeout: 30_000,
  ...pollTimeouts,
})

const storybook = (playwright: Playwright): Project['test'] => ({
  name: 'storybook',
  // Pages of prose without a story.
  exclude: ['docs/**'],
  testTimeout: 60_000,
  browser: {
    ...chromium(playwright, { width: 1320, height: 2600 }),
    expect: {
      toMatchScreenshot: {
        comparatorName: 'pixelmatch',
        comparatorOptions: { allowedMismatchedPixelRatio: 0.02 },
        screenshotOptions: { animations: 'disabled', caret: 'hide' },
        resolveScreenshotPath: ({ arg, ext, root }) => `${root}/looks/${arg}${ext}`,
      },
    },
  },
  setupFiles: ['.storybook/compare-baselines.ts'],
})

const chromium = (playwright: Playwright, viewport = { width: 1280, height: 720 }) => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({
    contextOptions: { viewport },
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: ['--no-sandbox', '--disable-background-networking', '--lang=en-US'],
    },
  }),
  instances: [{ browser: 'chromium' as const }],
})
