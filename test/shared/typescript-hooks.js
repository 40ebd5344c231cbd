// @ts-check
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

/** Imports name the built file, `.js`, of a source file. @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  try {
    return await nextResolve(specifier, context)
  } catch (error) {
    if (!context.parentURL?.endsWith('.ts') || !/^\..*\.js$/.test(specifier)) throw error
    return nextResolve(specifier.replace(/\.js$/, '.ts'), context)
  }
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const path = fileURLToPath(url)
  const { code } = transformSync(path, await readFile(path, 'utf8'))
  return { format: 'module', source: code, shortCircuit: true }
}
