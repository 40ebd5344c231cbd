import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'
import type { TestProjectConfiguration } from 'vitest/config'
import { commandBuild, libraryBuild, playgroundBuild, serverBuild } from './src/tools/build-packages.js'
import { scriptTagConfig } from './src/tools/script-tag-config.js'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const define = { __VERSION__: JSON.stringify(version) }

const chromium = (viewport = { width: 1280, height: 720 }) => ({
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

/** For what the service starts from its source: child processes and workers. */
const execArgv = ['--import', new URL('test/shared/run-typescript.js', import.meta.url).href]

/** How long `expect.poll` waits for processes and browsers, which a busy machine pauses for seconds. */
const pollTimeouts = { expect: { poll: { timeout: 10_000 } } }

const nodeTimeouts = { testTimeout: 30_000, hookTimeout: 60_000, ...pollTimeouts }

/** `npm test` runs one file of it with React 18, the slow tests run them all. */
const react18 = (include: string): TestProjectConfiguration => ({
  define: { ...define },
  plugins: [react()],
  test: {
    name: 'react-18',
    environment: 'jsdom',
    pool: 'threads',
    isolate: false,
    include: [include],
    setupFiles: ['test/react/load-react-18.ts', 'test/shared/set-async-timeout.ts'],
    testTimeout: 30_000,
  },
})

/** `npm test` runs the stories without the tag `slow`, the slow tests run those that have it. */
const storybook = (tags: { include?: string[]; exclude?: string[] }): TestProjectConfiguration => ({
  define: { ...define },
  plugins: [storybookTest({ configDir: 'stories/.storybook', tags })],
  test: {
    name: 'storybook',
    // Pages of prose without a story.
    exclude: ['docs/**'],
    testTimeout: 60_000,
    browser: {
      ...chromium({ width: 1320, height: 2600 }),
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
  },
})

/** It installs several generators of sites, which takes as long as everything else together. */
const SITES_TEST = 'test/apps/sites.test.ts'

// Every project a `define` of its own: vitest takes out of it what it has read.
const projects: TestProjectConfiguration[] = [
  {
    define: { ...define },
    test: {
      name: 'node',
      exclude: ['**/*.{dom,browser,slow,firefox}.test.ts'],
      environment: 'node',
      execArgv,
      // Loading the service's dependencies for each file again takes a third of the time of all tests.
      isolate: false,
      globalSetup: 'test/shared/global-setup.ts',
      include: ['test/{card,query,client,proxy,server,cli,tools,project,docs,end-to-end}/**/*.test.ts'],
      provide: { isSlowRun: false },
      ...nodeTimeouts,
    },
  },
  {
    define: { ...define },
    plugins: [react()],
    test: {
      name: 'dom',
      environment: 'jsdom',
      pool: 'threads',
      isolate: false,
      include: ['test/{react,embed,playground,tools}/**/*.dom.test.{ts,tsx}'],
      setupFiles: 'test/shared/set-async-timeout.ts',
      testTimeout: 30_000,
    },
  },
  react18('test/react/page-preview.dom.test.tsx'),
  {
    define: { ...define },
    plugins: [react()],
    // Vite would discover it only when a page imports it, and reload the page in the middle of a test.
    optimizeDeps: { include: ['pretty-bytes'] },
    test: {
      name: 'browser',
      browser: chromium(),
      include: ['test/{react,embed,playground}/**/*.browser.test.{ts,tsx}'],
      testTimeout: 30_000,
    },
  },
  storybook({ exclude: ['slow'] }),
]

const slowProjects: TestProjectConfiguration[] = [
  {
    define: { ...define },
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
  react18('test/react/**/*.dom.test.tsx'),
  storybook({ include: ['slow'] }),
]

export default defineConfig(({ mode }) => {
  if (mode === 'embed') return scriptTagConfig(define)
  if (mode === 'cli') return commandBuild(define)
  if (mode === 'server') return serverBuild(define)
  if (mode === 'playground') return playgroundBuild(define)
  if (mode === 'bench')
    return {
      define,
      test: {
        include: ['test/bench/**/*.bench.ts'],
        execArgv,
        fileParallelism: false,
        testTimeout: 300_000,
        hookTimeout: 60_000,
      },
    }
  if (mode === 'apps')
    return {
      define,
      test: {
        include: ['test/apps/**/*.test.ts'],
        exclude: [SITES_TEST],
        execArgv,
        testTimeout: 60_000,
        hookTimeout: 240_000,
        ...pollTimeouts,
      },
    }
  if (mode === 'sites')
    return {
      define,
      test: { include: [SITES_TEST], execArgv, testTimeout: 60_000, hookTimeout: 240_000, ...pollTimeouts },
    }
  if (mode === 'security')
    return {
      define,
      test: {
        include: ['test/security/**/*.test.ts'],
        fileParallelism: false,
        testTimeout: 120_000,
        hookTimeout: 60_000,
        ...pollTimeouts,
        reporters: ['verbose', './test/security/security-reporter.ts'],
      },
    }
  if (mode === 'drills')
    return {
      define,
      test: {
        include: ['test/drills/**/*.test.ts'],
        execArgv,
        fileParallelism: false,
        globalSetup: 'test/shared/global-setup.ts',
        testTimeout: 120_000,
        hookTimeout: 60_000,
        ...pollTimeouts,
        reporters: ['verbose', './test/drills/drill-reporter.ts'],
      },
    }
  if (mode === 'faults')
    return {
      define,
      test: {
        include: ['test/faults/**/*.test.ts'],
        execArgv,
        globalSetup: 'test/shared/global-setup.ts',
        fileParallelism: false,
        testTimeout: 120_000,
        hookTimeout: 60_000,
        ...pollTimeouts,
        reporters: 'verbose',
      },
    }
  if (mode === 'firefox')
    return {
      define,
      test: { include: ['test/**/*.firefox.test.ts'], execArgv, ...nodeTimeouts },
    }
  if (mode === 'slow') return { test: { projects: slowProjects, maxWorkers: 1 } }
  return mode === 'test' ? { test: { projects, maxWorkers: 2 } } : libraryBuild(define)
})
