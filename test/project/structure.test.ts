// Covers the structure of src and test: which folder may import which, that no imports are cyclic, and where tests are and run.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { preProcessFile } from 'typescript'
import { describe, expect, it } from 'vitest'
import { findCycles } from './find-cycles.js'

const root = resolve(import.meta.dirname, '../..')
const src = join(root, 'src')

/** The folders that a folder of `src` may import from, besides itself. */
const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  query: [],
  card: ['query'],
  client: ['query'],
  react: ['card', 'client', 'query'],
  embed: ['react', 'card', 'client', 'query'],
  proxy: ['query'],
  testing: ['client', 'query'],
  playground: ['react', 'query'],
  'command-line': ['query'],
  server: ['command-line', 'card', 'query'],
  static: ['server', 'client', 'command-line', 'card', 'query'],
  cli: ['client', 'command-line', 'query'],
  tools: [],
}
/** What the tools for static sites use of the server. */
const ENTRY_POINTS_FOR_STATIC = [
  // The service.
  'index',
  // The decoding of a page, as browsers and the service do it.
  'charset',
  // The commands and options of the service, which are in the same program.
  'commands/index',
  // The markup of a card without script, which the service embeds too.
  'html-card',
  // Requests through the network guard, and images in child processes, without a service.
  'static-tools',
].map((name) => `server/${name}.ts`)
/** Files beside an `index.ts` that other folders import too. */
const OTHER_ENTRY_POINTS = [
  // Loaded only for hosts with an internationalised name.
  'card/unicode-host.ts',
  // Lists of previews, an entry of the package.
  'client/batch-fetch.ts',
  // Sending requests, which the public index of `client` does not export.
  'client/request.ts',
  // What a command checks before it loads anything else.
  'command-line/node-version.ts',
  // One rule for addresses that people type; the index of `query` would bring its whole table along.
  'query/written-url.ts',
  // For the script tag, which prefetches what `<PagePreview>` will request: the props split, and the options of its query.
  'react/fetch-preview.ts',
  'react/props.ts',
  // The distance that counts as near the viewport.
  'react/use-proximity.ts',
]
const MUST_RUN_ANYWHERE = ['query', 'card', 'client', 'react', 'embed', 'proxy', 'testing']

interface Import {
  /** Paths below `src`, with slashes. */
  from: string
  to: string
}

const filesBelow = (dir: string): string[] =>
  readdirSync(dir).flatMap((name) => {
    if (name === 'dist' || name === 'node_modules') return []
    const path = join(dir, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
const relativeTo = (dir: string, path: string) => relative(dir, path).split(sep).join('/')

const sources = filesBelow(src)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    // Finds type imports and `import()` too.
    const specifiers = preProcessFile(text).importedFiles.map(({ fileName }) => fileName)
    return { path, name: relativeTo(src, path), text, specifiers }
  })

const imports: Import[] = sources.flatMap(({ path, name, specifiers }) =>
  specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from: name, to: relativeTo(src, sourceFile(resolve(dirname(path), specifier))) })),
)

/** Imports name the built file, `.js`, of a source file. */
function sourceFile(path: string): string {
  const base = path.replace(/\.js$/, '')
  return [`${base}.ts`, `${base}.tsx`].find(existsSync) ?? path
}

const entryOf = (name: string) => name.split('/')[0]!
const isIndex = (name: string) => /(^|\/)index\.(ts|js)$|\.css/.test(name)
/** The folder below an entry that a file is in, with all its subfolders; a file beside `index.ts` counts as a folder itself. */
const folderOf = (name: string) => name.split('/').slice(0, 2).join('/')
const show = ({ from, to }: Import) => `${from} → ${to}`

describe('the folders of src', () => {
  it('are the entries of the packages, and nothing else', () => {
    const folders = readdirSync(src).filter((name) => statSync(join(src, name)).isDirectory())
    expect(Object.keys(ALLOWED_IMPORTS)).toEqual(expect.arrayContaining(folders))
  })

  it('import only from the folders that they may import', () => {
    const wrong = imports.filter(
      ({ from, to }) => entryOf(from) !== entryOf(to) && !ALLOWED_IMPORTS[entryOf(from)]!.includes(entryOf(to)),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('are entered through their index or an entry point that is listed here, and so are the folders of the server and of the static-site tools', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (entryOf(from) !== entryOf(to))
        return !isIndex(to) && ![...ENTRY_POINTS_FOR_STATIC, ...OTHER_ENTRY_POINTS].includes(to)
      const [, fromFolder] = from.split('/')
      const [entry, toFolder, ...rest] = to.split('/')
      return (
        ['server', 'static'].includes(entry!) &&
        rest.length > 0 &&
        toFolder !== fromFolder &&
        !/^index\.ts$/.test(rest[0]!)
      )
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('let the tools for static sites use the service, and few of its parts', () => {
    const used = imports.filter(({ from, to }) => entryOf(from) === 'static' && entryOf(to) === 'server')
    expect([...new Set(used.map(({ to }) => to))].toSorted()).toEqual(ENTRY_POINTS_FOR_STATIC.toSorted())
  })

  it('have no cyclic imports of files, type imports included', () => {
    expect(findCycles(imports)).toEqual([])
  })

  it('have no cyclic imports of folders within an entry', () => {
    const crossings = imports
      .filter(({ from, to }) => entryOf(from) === entryOf(to))
      .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
      .filter(({ from, to }) => from !== to)
    expect(findCycles(crossings)).toEqual([])
  })

  it('need no Node if they must run anywhere', () => {
    const wrong = sources.filter(
      ({ name, specifiers }) =>
        MUST_RUN_ANYWHERE.includes(entryOf(name)) && specifiers.some((specifier) => specifier.startsWith('node:')),
    )
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('have names that state what they contain', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|types|constants|core)([./]|$)/
    expect(sources.filter(({ name }) => vague.test(name)).map(({ name }) => name)).toEqual([])
  })
})

it('every test covers the source file of its name, or states in its first line what it covers', () => {
  const tests = filesBelow(join(root, 'test')).filter((path) => /\.(test|test-d)\.tsx?$/.test(path))
  const wrong = tests.filter((path) => {
    const name = relativeTo(join(root, 'test'), path).replace(
      /(\.(dom|browser|slow|matrix|firefox))*\.test(-d)?\.tsx?$/,
      '',
    )
    const hasSource = ['.ts', '.tsx', '.js'].some((extension) => existsSync(join(src, `${name}${extension}`)))
    return !hasSource && !readFileSync(path, 'utf8').startsWith('// Covers ')
  })
  expect(wrong.map((path) => relativeTo(root, path))).toEqual([])
})

it('the checks of every change and of every night run every suite', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const suites = Object.keys(scripts).filter((name) => name.startsWith('test:'))
  const commands = ['.ci/run', '.ci/nightly'].flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n'))
  expect(commands).toEqual(expect.arrayContaining(['npm test', ...suites.map((name) => `npm run ${name}`)]))
})
