// Covers what bundlers leave out of an app for production: the built package, not one of its source files.
import { expect, it } from 'vitest'
import { bundleByVite } from './measure-bundle.js'

const bundle = async (mode: 'production' | 'development') =>
  (await bundleByVite(`import * as all from 'page-preview'; globalThis.used = all`, mode))
    .map(({ code }) => code)
    .join('\n')

it('has the warnings for developers while an app is developed, and nothing of them in production', async () => {
  const warnings = /console\.warn|allow-target|styles\.css|two copies|NODE_ENV|development/
  expect(await bundle('development')).toMatch(warnings)
  expect(await bundle('production')).not.toMatch(warnings)
})

it("creates react-query's client for a screenshot with what loads after it", async () => {
  const files = await bundleByVite(`import { PageScreenshot } from 'page-preview'; globalThis.used = PageScreenshot`)
  const codeOf = (isInitial: boolean) =>
    files
      .filter((file) => file.isInitial === isInitial)
      .map(({ code }) => code)
      .join('\n')
  const imported = /QueryClient\b|QueryObserver\b/
  expect(codeOf(true)).not.toMatch(imported)
  expect(codeOf(false)).toMatch(imported)
})
