// Covers which modules of page-preview/rsc reach browsers.
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

it('a preview that is rendered on the server loads no code in the browser', () => {
  const modules = modulesFrom(join(src, 'react/rsc/page-preview.tsx'))
  expect(modules.size).toBeGreaterThan(10)
  expect(inBrowsers(modules)).toEqual([])
  // Types are erased.
  for (const [path, text] of modules)
    expect(text.replaceAll(/^import type [^']*'[^']*'/gm, ''), path).not.toMatch(
      /\buse(State|Effect|Memo|Context|Ref|SyncExternalStore)\b|from '@tanstack/,
    )
})

it('a preview that is kept fresh loads one client component in the browser', () => {
  const modules = modulesFrom(join(src, 'react/rsc/live-page-preview.tsx'))
  expect(inBrowsers(modules)).toEqual([join(src, 'react/rsc/hydrated-preview.tsx')])
})
