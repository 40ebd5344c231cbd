import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../../src')

/** Which folders a folder of `src` may import from, besides itself. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  query: [],
  card: ['query'],
  client: ['query'],
  react: ['card', 'client', 'query'],
  embed: ['react', 'card', 'client', 'query'],
  proxy: ['client', 'query'],
  playground: ['react', 'card', 'client', 'query'],
  server: ['card', 'query'],
  cli: ['client', 'query'],
  tools: ['query'],
}
const MUST_RUN_ANYWHERE = ['query', 'card', 'client', 'react', 'embed', 'proxy']

const files = (dir: string): string[] =>
  readdirSync(dir).flatMap((name) => {
    if (name === 'dist' || name === 'node_modules') return []
    const path = join(dir, name)
    return statSync(path).isDirectory() ? files(path) : /\.tsx?$/.test(name) ? [path] : []
  })

const sources = files(src).map((path) => {
  const text = readFileSync(path, 'utf8')
  const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, specifier]) => specifier!)
  return { path, name: relative(src, path), folder: relative(src, path).split(sep)[0]!, imports, text }
})

const crossings = sources.flatMap(({ path, name, folder, imports }) =>
  imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({
      name,
      folder,
      specifier,
      target: relative(src, resolve(dirname(path), specifier)).split(sep),
    })),
)

describe('the folders of src', () => {
  it('are the entries of the package, and nothing else', () => {
    const folders = readdirSync(src).filter((name) => statSync(join(src, name)).isDirectory())
    expect(Object.keys(ARROWS)).toEqual(expect.arrayContaining(folders))
  })

  it('import only to the left', () => {
    const wrong = crossings.filter(
      ({ folder, target }) => target[0] !== folder && !ARROWS[folder]!.includes(target[0]!),
    )
    expect(wrong.map(({ name, specifier }) => `${name} → ${specifier}`)).toEqual([])
  })

  it('are entered through their index alone, and so are the rooms of the server', () => {
    const wrong = crossings.filter(({ name, folder, target }) => {
      if (target[0] !== folder) return !/^index\.(js|ts)$|\.css/.test(target.at(-1)!.split('?')[0]!)
      const room = name.split(sep)[1]
      const isOtherRoom = folder === 'server' && target.length > 2 && target[1] !== room
      return isOtherRoom && !/^index\.js$/.test(target[2]!)
    })
    expect(wrong.map(({ name, specifier }) => `${name} → ${specifier}`)).toEqual([])
  })

  it('need no Node where they must run anywhere', () => {
    const wrong = sources.filter(
      ({ folder, imports }) => MUST_RUN_ANYWHERE.includes(folder) && imports.some((name) => name.startsWith('node:')),
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('have files that can be read in one sitting', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 300).map(({ name }) => name)).toEqual([])
  })

  it('have names that promise their content', () => {
    const vague = /(^|[/\\])(utils?|helpers?|common|misc|types|constants|core)([./\\]|$)/
    expect(sources.filter(({ name }) => vague.test(name)).map(({ name }) => name)).toEqual([])
  })
})
