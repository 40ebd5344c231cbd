// Covers src/playground/snippets.ts: the snippets of all languages have to carry the same query.
import { execFileSync } from 'node:child_process'
import { array, assert, boolean, constant, constantFrom, integer, property, record, string } from 'fast-check'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import {
  cliSnippet,
  codeText,
  curlSnippet,
  htmlSnippet,
  reactSnippet,
  type SnippetInput,
} from '../../src/playground/snippets.js'
import { parseQuery, writeQuery, type ParsedQuery, type QueryInput } from '../../src/query/index.js'

const endpoint = { free: 'http://127.0.0.1:3000', pro: 'http://127.0.0.1:3001' }
const snippetInput = (query: QueryInput | ParsedQuery, options: Partial<SnippetInput> = {}): SnippetInput => ({
  query: parseQuery(query),
  layout: 'card',
  theme: 'auto',
  endpoint,
  hasKey: false,
  ...options,
})
const url = 'https://tern.example/guide/routing'
const overlay = { browser: 'light', background: 'linear-gradient(135deg, #7c6cf6, #ff9d7a)' }
const example = snippetInput({ url, screenshot: true, overlay })

describe('React', () => {
  it('is formatted as if written by hand', () => {
    expect(codeText(reactSnippet(example))).toBe(`import { PagePreview } from 'page-preview'
import 'page-preview/styles.css'

<PagePreview
  url="https://tern.example/guide/routing"
  screenshot
  overlay={{
    browser: 'light',
    background: 'linear-gradient(135deg, #7c6cf6, #ff9d7a)',
  }}
  endpoint="http://127.0.0.1:3000"
/>`)
  })

  it('has durations with their unit, lists as arrays, layout and theme', () => {
    const input = snippetInput({ url, ttl: '1h', click: ['#a', '#b'], palette: true }, { layout: 'row', theme: 'dark' })
    expect(codeText(reactSnippet(input))).toContain(`
  ttl="1h"
  query={{
    click: ['#a', '#b'],
    palette: true,
  }}
  layout="row"
  theme="dark"
  endpoint="http://127.0.0.1:3000"
`)
  })

  it('has no props that an embedded image implies, and no embed that a component cannot render', () => {
    expect(propsOf(codeText(reactSnippet(snippetInput({ url, screenshot: true, embed: true }))))).toEqual({
      url,
      screenshot: true,
      embed: true,
      endpoint: endpoint.free,
    })
    expect(propsOf(codeText(reactSnippet(snippetInput({ url, embed: 'html' }))))).toEqual({
      url,
      endpoint: endpoint.free,
    })
  })
})

describe('HTML', () => {
  it('is formatted as if written by hand', () => {
    expect(codeText(htmlSnippet(example))).toBe(`<script async src="http://127.0.0.1:3000/page-preview.js"></script>

<page-preview
  url="https://tern.example/guide/routing"
  screenshot
  overlay-browser="light"
  overlay-background="linear-gradient(135deg, #7c6cf6, #ff9d7a)"
>
  <a href="https://tern.example/guide/routing">tern.example</a>
</page-preview>`)
  })

  it('has an image without script for an embedded screenshot, with its dimensions', () => {
    const input = snippetInput({ url, screenshot: true, embed: true }, { imageSize: { width: 2560, height: 1600 } })
    const image = parseHtml(codeText(htmlSnippet(input))).querySelector('img')!
    expect(new URL(image.src).searchParams.get('url')).toBe(url)
    expect(new URL(image.src).searchParams.get('embed')).toBe('true')
    expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['2560', '1600'])
    expect(image.alt).toBe('Screenshot of tern.example')
    expect(image.closest('a')!.href).toBe(url)
  })

  it('has a frame for embedded HTML', () => {
    const frame = parseHtml(codeText(htmlSnippet(snippetInput({ url, embed: 'html' })))).querySelector('iframe')!
    expect(new URL(frame.src).searchParams.get('embed')).toBe('html')
    expect(frame.title).toBe('Preview of tern.example')
  })
})

describe('cURL and the command line', () => {
  it('are formatted as if written by hand', () => {
    expect(codeText(curlSnippet(example))).toBe(`curl -G http://127.0.0.1:3000/ \\
  --data-urlencode 'url=https://tern.example/guide/routing' \\
  -d screenshot -d overlay.browser=light \\
  --data-urlencode 'overlay.background=linear-gradient(135deg, #7c6cf6, #ff9d7a)'`)
    expect(codeText(cliSnippet(example))).toBe(`npx page-preview https://tern.example/guide/routing \\
  --screenshot --overlay.browser=light \\
  --overlay.background='linear-gradient(135deg, #7c6cf6, #ff9d7a)'`)
  })

  it('refer to the key by a variable, and use the pro host', () => {
    const input = snippetInput(
      { url },
      { hasKey: true, endpoint: { free: 'https://a.example', pro: 'https://pro.a.example' } },
    )
    expect(argumentsOf(curlSnippet(input), 'k')).toEqual([
      '-G',
      'https://pro.a.example/',
      '-H',
      'x-api-key: k',
      '--data-urlencode',
      `url=${url}`,
    ])
    expect(argumentsOf(cliSnippet(input), 'k')).toEqual([
      'page-preview',
      url,
      '--pro-endpoint',
      'https://pro.a.example',
      '--api-key',
      'k',
    ])
  })

  it.each<[string, QueryInput]>([
    ['image.jpg', { url, screenshot: true, embed: true }],
    ['image.png', { url, screenshot: { type: 'png' }, embed: true }],
    ['image.webp', { url, screenshot: true, embed: 'screenshot.url', variant: { type: 'webp', width: 640 } }],
    ['image', { url, embed: 'logo' }],
    ['image.avif', { url, embed: 'image.url', variant: { type: 'avif' } }],
  ])('write an embedded image to the file %s', (file, query) => {
    const input = snippetInput(query)
    expect(argumentsOf(curlSnippet(input)).slice(-2)).toEqual(['-o', file])
    expect(argumentsOf(cliSnippet(input)).slice(-2)).toEqual(['-o', file])
  })
})

const hostile = string({
  unit: constantFrom(...Array.from(`a '"\\\`$&<>{}%;|#!*~=:é\u2028`)),
  minLength: 1,
  maxLength: 12,
})
const text = hostile.map((text) => text.trim()).filter(Boolean)
const queries = record(
  {
    url: text.map((text) => new URL(`https://a.example/?q=${text}#${text}`).href),
    element: text,
    click: array(text, { minLength: 1, maxLength: 3 }),
    'overlay.background': text,
    'headers.x-it': text.filter((text) => /^[\x20-\x7e]+$/.test(text)),
    'headers.x_y.z': constant('1'),
    'screenshot.fullPage': boolean(),
    'viewport.width': integer({ min: 1, max: 10_000 }),
    ttl: integer({ min: 60_000, max: 2_000_000 }),
    'ping.audio': boolean(),
    'meta.title': boolean(),
    embed: constantFrom('logo.url', 'true', 'screenshot'),
  },
  { requiredKeys: ['url'] },
).map((query) => parseQuery(query))

describe('every snippet requests exactly the same query, with any values', () => {
  it('in React', () => {
    assert(
      property(queries, (query) => {
        const { endpoint: _, query: others, ...props } = propsOf(codeText(reactSnippet(snippetInput(query))))
        expect(writeQuery({ ...props, ...(others as object) })).toBe(query.text)
      }),
    )
  })

  it('in HTML', () => {
    assert(
      property(queries, (query) => {
        const element = parseHtml(codeText(htmlSnippet(snippetInput(query)))).querySelector('page-preview')!
        const names = Object.keys(Object.fromEntries(new URLSearchParams(query.text)))
        const parameters = names.map((name): [string, string] => {
          const attribute = name.replace(/[A-Z]/g, '-$&').replaceAll('.', '-').toLowerCase()
          return [name, element.getAttribute(attribute) ?? 'missing']
        })
        expect(writeQuery(new URLSearchParams(parameters))).toBe(query.text)
      }),
    )
  })

  it('in the shell', () => {
    assert(
      property(queries, (query) => {
        const parameters = new URLSearchParams()
        const curlArguments = argumentsOf(curlSnippet(snippetInput(query)))
        curlArguments.forEach((argument, index) => {
          const [name = '', ...value] = argument.split('=')
          if (/^(-d|--data-urlencode)$/.test(curlArguments[index - 1] ?? ''))
            parameters.append(decodeURIComponent(name), value.join('='))
        })
        expect(writeQuery(parameters)).toBe(query.text)

        const flags = argumentsOf(cliSnippet(snippetInput(query))).filter((argument) => argument.startsWith('--'))
        const cliParameters = flags.map((flag): [string, string] => {
          const [name = '', ...value] = flag.slice(2).split('=')
          return [name, value.join('=')]
        })
        expect(writeQuery(new URLSearchParams([['url', query.query.url], ...cliParameters]))).toBe(query.text)
      }),
      { numRuns: 20 },
    )
  })
})

const parseHtml = (html: string) => new DOMParser().parseFromString(html, 'text/html')

/** The arguments that a shell passes to the command. */
function argumentsOf(tokens: Parameters<typeof codeText>[0], key = ''): string[] {
  const printArguments = `() { for argument; do printf '%s\\0' "$argument"; done; }`
  const script = `curl ${printArguments}; npx ${printArguments}; ${codeText(tokens)}`
  const env = { PAGE_PREVIEW_API_KEY: key }
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1)
}

/** The props in the JSX of a snippet, read from its syntax tree. */
function propsOf(code: string): Record<string, unknown> {
  const file = ts.createSourceFile('snippet.tsx', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX)
  const statement = file.statements.at(-1)!
  if (!ts.isExpressionStatement(statement) || !ts.isJsxSelfClosingElement(statement.expression)) throw new Error(code)
  const props: Record<string, unknown> = {}
  for (const attribute of statement.expression.attributes.properties)
    if (ts.isJsxSpreadAttribute(attribute)) Object.assign(props, valueOfNode(attribute.expression))
    else props[attribute.name.getText()] = attributeValue(attribute.initializer)
  return props
}

function attributeValue(value: ts.JsxAttribute['initializer']): unknown {
  if (!value) return true
  if (ts.isStringLiteral(value)) return value.text
  if (ts.isJsxExpression(value) && value.expression) return valueOfNode(value.expression)
  throw new Error(value.getText())
}

function valueOfNode(node: ts.Expression): unknown {
  if (ts.isStringLiteral(node)) return node.text
  if (ts.isNumericLiteral(node)) return Number(node.text)
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOfNode)
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  if (!ts.isObjectLiteralExpression(node)) throw new Error(node.getText())
  return Object.fromEntries(
    node.properties.map((property) => {
      if (!ts.isPropertyAssignment(property)) throw new Error(property.getText())
      const name = ts.isStringLiteral(property.name) ? property.name.text : property.name.getText()
      return [name, valueOfNode(property.initializer)]
    }),
  )
}
