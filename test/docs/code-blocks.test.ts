// Covers the code in README.md, stories/docs and the other guides: every block is compiled, parsed, or checked against its source.
import { Parser } from 'htmlparser2'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from 'svelte/compiler'
import { format } from 'oxfmt'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { compileScript, compileTemplate, parse as parseVue } from 'vue/compiler-sfc'
import { optionVariable, secretFileVariable } from '../../src/command-line/index.js'
import { serveOptions } from '../../src/server/serve-options.js'
import { compileModules } from './compile-blocks.js'
import { readDocs, root, type CodeBlock } from './read-docs.js'
import { checkCommand, commandsOf } from './shell-commands.js'

// The code of the reference is taken from the sources.
const pages = readDocs().filter(({ path }) => !path.endsWith('/reference.mdx'))
const blocks = pages.flatMap((page) => page.blocks)
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language))
const eachIn = (...languages: string[]) =>
  inLanguage(...languages).map((block): [string, CodeBlock] => [block.name, block])
const variables = new Set(Object.keys(serveOptions).map(optionVariable))

/** A language that nothing here checks would be a way around these tests. */
const CHECKED = [
  'ts',
  'tsx',
  'jsx',
  'vue',
  'svelte',
  'html',
  'sh',
  'json',
  'css',
  'md',
  'njk',
  'nginx',
  'caddyfile',
  'ini',
  'yaml',
]
/** Diagrams and output. */
const TEXT = ['txt', 'mermaid']

it('names the language of every block, and checks each', () => {
  const unknown = blocks.filter(({ language }) => ![...CHECKED, ...TEXT].includes(language))
  expect(unknown.map(({ name, language }) => `${name} ${language}`)).toEqual([])
})

describe('compiled against the types of the packages', () => {
  const WRONG = `import { PagePreview } from 'page-preview'; export const Wrong = () => <PagePreview url="" screenshots />`
  let errors: string[]
  beforeAll(() => {
    const responses = inLanguage('json').filter(({ code }) => !isClientConfig(code))
    const json = responses.map(({ name, code }) => ({ name: `${name} (JSON)`, code: typedJson(code) }))
    errors = compileModules([...inLanguage('ts', 'tsx'), ...json, { name: 'a wrong prop', code: WRONG }])
  }, 120_000)

  it('has no errors in TypeScript, nor in the JSON of responses', () => {
    expect(inLanguage('ts', 'tsx').length).toBeGreaterThan(15)
    expect(errors.filter((error) => !error.startsWith('a wrong prop'))).toEqual([])
  })

  it('would notice a prop that does not exist', () => {
    expect(errors.join('\n')).toMatch(/^a wrong prop: .*screenshots/m)
  })
})

it.each(eachIn('jsx'))('parses the JSX at %s', (_, { code }) => {
  const { diagnostics } = ts.transpileModule(code, {
    fileName: 'block.jsx',
    reportDiagnostics: true,
    compilerOptions: { jsx: ts.JsxEmit.Preserve, allowJs: true },
  })
  expect(diagnostics).toEqual([])
})

it.each(eachIn('vue'))('compiles the Vue component at %s', (name, { code }) => {
  const { descriptor, errors } = parseVue(code)
  const isCustomElement = (tag: string) => tag === 'page-preview'
  const { bindings } = compileScript(descriptor, { id: name })
  const template = compileTemplate({
    id: name,
    filename: name,
    source: descriptor.template!.content,
    compilerOptions: { isCustomElement, ...(bindings && { bindingMetadata: bindings }) },
  })
  expect([...errors, ...template.errors]).toEqual([])
})

it.each(eachIn('svelte'))('compiles the Svelte component at %s', (_, { code }) => {
  // The warning is about the colon in the names of our events, which Svelte listens to all the same.
  const warnings = compile(code, {}).warnings.filter((warning) => warning.code !== 'attribute_illegal_colon')
  expect(warnings).toEqual([])
})

it.each(eachIn('html'))('closes every element of the HTML at %s', (_, { code }) => {
  expect(unclosedElements(code)).toEqual([])
})

it.each(eachIn('css', 'nginx', 'caddyfile'))('balances the braces at %s', (_, { code }) => {
  let depth = 0
  for (const [character] of code.matchAll(/[{}]/g)) {
    depth += character === '{' ? 1 : -1
    expect(depth).toBeGreaterThanOrEqual(0)
  }
  expect(depth).toBe(0)
})

it.each(eachIn('nginx'))('ends every directive of nginx at %s', (_, { code }) => {
  expect(code.split('\n').filter((line) => line.trim() && !/[;{}]$/.test(line))).toEqual([])
})

it.each(eachIn('nginx', 'caddyfile'))('forwards to a default port of the service at %s', (_, { code }) => {
  const ports = [...code.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port))
  expect(ports.length).toBeGreaterThan(0)
  expect([serveOptions.port.default, serveOptions.proPort.default]).toEqual(expect.arrayContaining(ports))
})

it.each(eachIn('yaml'))('is YAML, with variables of the service, at %s', async (_, { code }) => {
  expect((await format('block.yaml', code)).errors).toEqual([])
  for (const [variable] of code.matchAll(/PAGE_PREVIEW_\w+/g)) expect(variables).toContain(variable)
})

it.each(eachIn('ini'))('has sections, settings and known commands in the unit at %s', async (_, { code }) => {
  const lines = code.split('\n').filter(Boolean)
  expect(lines.filter((line) => !/^(\[[A-Z]\w+\]|[A-Z]\w+=\S.*)$/.test(line))).toEqual([])
  const command = /^ExecStart=\S+\/node_modules\/\.bin\/(.*)$/m.exec(code)![1]!
  expect(await checkCommand(['npx', ...command.split(' ')])).toBeUndefined()
})

it.each(eachIn('njk'))('uses a shortcode that the recipe has at %s', (_, { code }) => {
  const shortcode = /\{% (\w+) /.exec(code)![1]!
  const recipe = readFileSync(join(root, 'stories/recipes/eleventy/eleventy.config.js'), 'utf8')
  expect(recipe).toContain(`addShortcode('${shortcode}'`)
})

it.each(eachIn('json').filter(([, { code }]) => isClientConfig(code)))(
  'starts a known command, or names the path of the server, in the configuration of an MCP client at %s',
  async (_, { code }) => {
    const { mcpServers, servers } = JSON.parse(code) as Record<string, Record<string, McpEntry> | undefined>
    for (const entry of Object.values({ ...mcpServers, ...servers })) {
      if ('url' in entry) expect(entry.url).toMatch(/\/mcp$/)
      else expect(await checkCommand([entry.command, ...entry.args])).toBeUndefined()
    }
  },
)

describe('commands', () => {
  it.each(
    inLanguage('sh').flatMap(({ name, code }) =>
      commandsOf(code).map((command): [string, string, string[]] => [name, command.join(' '), command]),
    ),
  )('at %s exist with their flags: %s', async (_, __, command) => {
    expect(await checkCommand(command)).toBeUndefined()
  })

  it.each([
    ['an unknown option of the service', ['npx', 'page-preview-server', 'serve', '--prot', '1']],
    ['an unknown parameter', ['npx', 'page-preview', 'https://example.com', '--screenshots']],
    ['an unknown script', ['npm', 'run', 'nothing']],
    ['an unknown program', ['npxx', 'page-preview']],
  ])('with %s would be noticed', async (_, command) => {
    expect(await checkCommand(command)).toBeTypeOf('string')
  })
})

it('names only environment variables of the service that exist', () => {
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/PAGE_PREVIEW_[A-Z_0-9]+/g)].map(([name]) => `${path} ${name}`),
  )
  const secretFileVariables = Object.entries(serveOptions)
    .filter(([, option]) => 'isSecret' in option)
    .map(([name]) => secretFileVariable(optionVariable(name)))
  const known = new Set([
    ...variables,
    ...secretFileVariables,
    // The folder of installed browsers and the secrets, which are no flags, the key that examples take from the environment of an app, and the endpoints of the command.
    'PAGE_PREVIEW_CHROMIUM_DIR',
    'PAGE_PREVIEW_SIGNING_SECRET',
    'PAGE_PREVIEW_WORKER_SECRET',
    'PAGE_PREVIEW_API_KEY',
    'PAGE_PREVIEW_API_KEY_FILE',
    'PAGE_PREVIEW_MCP_TOKEN',
    'PAGE_PREVIEW_MCP_TOKEN_FILE',
    'PAGE_PREVIEW_ENDPOINT',
    'PAGE_PREVIEW_PRO_ENDPOINT',
  ])
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((entry) => !known.has(entry.split(' ')[1]!))).toEqual([])
})

it('names only entries that the package exports', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }
  const named = pages.flatMap(({ path, inlineCode, blocks }) =>
    [...inlineCode, ...blocks.map(({ code }) => code)].flatMap((text) =>
      [...text.matchAll(/(?<![\w./-])page-preview(\/[\w./-]+)/g)].map(([, entry]) => `${path} .${entry}`),
    ),
  )
  // Paths of the service, and of the proxy on a site.
  const isPath = (entry: string) => /^\.\/(images|\*|\[)/.test(entry)
  const unknown = named.filter((name) => {
    const entry = name.split(' ')[1]!
    return !isPath(entry) && !(entry in exports)
  })
  expect(unknown).toEqual([])
})

/** How a client of the Model Context Protocol reaches a server. */
type McpEntry = { url: string } | { command: string; args: string[] }

function isClientConfig(json: string): boolean {
  return /^\{\s*"(mcpServers|servers)"/.test(json)
}

/** A module that fits its types only if the JSON is a response of the service. */
function typedJson(json: string): string {
  const { status } = JSON.parse(json) as { status: string }
  const [type, entry] = status === 'success' ? ['PageResponse', 'index'] : ['ErrorBody', 'help/error-help']
  return `import type { ${type} } from '../../src/query/${entry}.js'\nexport default ${json} satisfies ${type}`
}

function unclosedElements(html: string): string[] {
  const unclosed: string[] = []
  const parser = new Parser({
    onclosetag: (name, isImplied) => void (isImplied && !VOID_ELEMENTS.has(name) && unclosed.push(name)),
  })
  parser.end(html)
  return unclosed
}

const VOID_ELEMENTS = new Set(['img', 'link', 'source', 'meta', 'br', 'input'])
