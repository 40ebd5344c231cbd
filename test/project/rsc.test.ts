// Covers which modules a server component loads, and which of them reach browsers.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../../src')

/** What a server component loads, up to the modules that are for browsers. */
function modulesFrom(path: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(path)) return found
  const text = readFileSync(path, 'utf8')
  found.set(path, text)
  if (text.startsWith("'use client'")) return found
  for (const [, specifier] of text.matchAll(/^(?:import|export)(?! type)[^'"]*from '(\.[^']+)'/gm)) {
    const base = resolve(dirname(path), specifier!.replace(/\.js$/, ''))
    modulesFrom([`${base}.ts`, `${base}.tsx`].find(existsSync)!, found)
  }
  return found
}

const inBrowsers = (modules: Map<string, string>) =>
  [...modules].filter(([, text]) => text.startsWith("'use client'")).map(([path]) => path)

const entry = () => modulesFrom(join(src, 'react/index.server.ts'))

it('the modules that run on a server use no state and no hook', () => {
  const modules = [...entry()].filter(([, text]) => !text.startsWith("'use client'"))
  expect(modules.length).toBeGreaterThan(10)
  // Types are erased.
  for (const [path, text] of modules)
    expect(text.replaceAll(/^import type [^']*'[^']*'/gm, ''), path).not.toMatch(
      /\buse(State|Effect|Memo|Context|Ref|SyncExternalStore)\b/,
    )
})

it('the components and hooks that browsers run are references to client modules', () => {
  expect(inBrowsers(entry()).map((path) => path.replace(/.*\//, ''))).toEqual(
    expect.arrayContaining([
      'hover-preview.tsx',
      'hydrated-preview.tsx',
      'page-preview-provider.tsx',
      'page-screenshot.tsx',
      'use-page-preview.ts',
    ]),
  )
})
