import { execFileSync } from 'node:child_process'
import { array, assert, boolean, constant, constantFrom, integer, property, record, string } from 'fast-check'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { codeText } from '../../src/playground/code/code-part.js'
import { htmlCode } from '../../src/playground/code/html-code.js'
import { reactCode } from '../../src/playground/code/react-code.js'
import type { SampleInput } from '../../src/playground/code/sample-input.js'
import { cliCode, curlCode } from '../../src/playground/code/shell-code.js'
import { parseQuery, writeQuery, type QueryInput } from '../../src/query/index.js'

const hosts = { free: 'http://127.0.0.1:3000', pro: 'http://127.0.0.1:3001' }
const sample = (words: QueryInput, more: Partial<SampleInput> = {}): SampleInput => ({
  query: parseQuery(words).query,
  layout: 'card',
  theme: 'auto',
  hosts,
  hasKey: false,
  ...more,
})
const url = 'https://tern.example/guide/routing'
const overlay = { browser: 'light', background: 'linear-gradient(135deg, #7c6cf6, #ff9d7a)' }
const written = sample({ url, screenshot: true, overlay })

describe('React', () => {
  it('reads as people write it', () => {
    expect(codeText(reactCode(written))).toBe(`import { PagePreview } from 'page-preview'
import 'page-preview/styles.css'

<PagePreview
  url="https://tern.example/guide/routing"
  screenshot
  overlay={{
    browser: 'light',
    background: 'linear-gradient(135deg, #7c6cf6, #ff9d7a)',
  }}
  hosts="http://127.0.0.1:3000"
/>`)
  })

  it('says durations with their unit, lists as arrays, and the look', () => {
    const input = sample({ url, ttl: '1h', click: ['#a', '#b'], palette: true }, { layout: 'row', theme: 'dark' })
    expect(codeText(reactCode(input))).toContain(`
  click={['#a', '#b']}
  palette
  ttl="1h"
  layout="row"
  theme="dark"
  hosts="http://127.0.0.1:3000"
`)
  })

  it('leaves out what an embedded picture brings along, and an embed that no component has', () => {
    expect(propsOf(codeText(reactCode(sample({ url, screenshot: true, embed: true }))))).toEqual({
      url,
      screenshot: true,
      embed: true,
      hosts: hosts.free,
    })
    expect(propsOf(codeText(reactCode(sample({ url, embed: 'html' }))))).toEqual({ url, hosts: hosts.free })
  })
})

describe('HTML', () => {
  it('reads as people write it', () => {
    expect(codeText(htmlCode(written))).toBe(`<script async src="http://127.0.0.1:3000/page-preview.js"></script>

<page-preview
  url="https://tern.example/guide/routing"
  screenshot
  overlay-browser="light"
  overlay-background="linear-gradient(135deg, #7c6cf6, #ff9d7a)"
>
  <a href="https://tern.example/guide/routing">tern.example</a>
</page-preview>`)
  })

  it('gives an image without script for a picture, as large as it is known to be', () => {
    const input = sample({ url, screenshot: true, embed: true }, { picture: { width: 2560, height: 1600 } })
    const image = parsed(codeText(htmlCode(input))).querySelector('img')!
    expect(new URL(image.src).searchParams.get('url')).toBe(url)
    expect(new URL(image.src).searchParams.get('embed')).toBe('true')
    expect([image.getAttribute('width'), image.getAttribute('height')]).toEqual(['2560', '1600'])
    expect(image.alt).toBe('Screenshot of tern.example')
    expect(image.closest('a')!.href).toBe(url)
  })

  it('gives a frame for HTML', () => {
    const frame = parsed(codeText(htmlCode(sample({ url, embed: 'html' })))).querySelector('iframe')!
    expect(new URL(frame.src).searchParams.get('embed')).toBe('html')
    expect(frame.title).toBe('Preview of tern.example')
  })
})

describe('cURL and our own command', () => {
  it('read as people write them', () => {
    expect(codeText(curlCode(written))).toBe(`curl -G http://127.0.0.1:3000/ \\
  --data-urlencode 'url=https://tern.example/guide/routing' \\
  -d screenshot -d overlay.browser=light \\
  --data-urlencode 'overlay.background=linear-gradient(135deg, #7c6cf6, #ff9d7a)'`)
    expect(codeText(cliCode(written))).toBe(`npx page-preview https://tern.example/guide/routing \\
  --screenshot --overlay.browser=light \\
  --overlay.background='linear-gradient(135deg, #7c6cf6, #ff9d7a)'`)
  })

  it('name the key without showing it, and the host it is for', () => {
    const input = sample({ url }, { hasKey: true, hosts: { free: 'https://a.example', pro: 'https://pro.a.example' } })
    expect(argumentsOf(curlCode(input), 'k')).toEqual([
      '-G',
      'https://pro.a.example/',
      '-H',
      'x-api-key: k',
      '--data-urlencode',
      `url=${url}`,
    ])
    expect(argumentsOf(cliCode(input), 'k')).toEqual([
      'page-preview',
      url,
      '--pro-endpoint',
      'https://pro.a.example',
      '--api-key',
      'k',
    ])
  })

  it('write an embedded picture into a file', () => {
    const input = sample({ url, screenshot: true, embed: true })
    expect(argumentsOf(curlCode(input)).slice(-2)).toEqual(['-o', 'picture.jpg'])
    expect(argumentsOf(cliCode(input)).slice(-2)).toEqual(['-o', 'picture.jpg'])
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
).map((words) => parseQuery(words).query)

describe('every sample asks for the very query, whatever it carries', () => {
  it('in React', () => {
    assert(
      property(queries, (query) => {
        const { hosts: _, ...props } = propsOf(codeText(reactCode(sample(query))))
        expect(writeQuery(props)).toBe(writeQuery(query))
      }),
    )
  })

  it('in HTML', () => {
    assert(
      property(queries, (query) => {
        const element = parsed(codeText(htmlCode(sample(query)))).querySelector('page-preview')!
        const names = Object.keys(Object.fromEntries(new URLSearchParams(writeQuery(query))))
        const asked = names.map((name): [string, string] => {
          const attribute = name.replace(/[A-Z]/g, '-$&').replaceAll('.', '-').toLowerCase()
          return [name, element.getAttribute(attribute) ?? 'absent']
        })
        expect(writeQuery(new URLSearchParams(asked))).toBe(writeQuery(query))
      }),
    )
  })

  it('in the shell', () => {
    assert(
      property(queries, (query) => {
        const asked = new URLSearchParams()
        const words = argumentsOf(curlCode(sample(query)))
        words.forEach((word, at) => {
          const [name = '', ...value] = word.split('=')
          if (/^(-d|--data-urlencode)$/.test(words[at - 1] ?? ''))
            asked.append(decodeURIComponent(name), value.join('='))
        })
        expect(writeQuery(asked)).toBe(writeQuery(query))

        const told = argumentsOf(cliCode(sample(query))).filter((word) => word.startsWith('--'))
        const flags = told.map((word): [string, string] => {
          const [name = '', ...value] = word.slice(2).split('=')
          return [name, value.join('=')]
        })
        expect(writeQuery(new URLSearchParams([['url', query.url], ...flags]))).toBe(writeQuery(query))
      }),
      { numRuns: 40 },
    )
  })
})

const parsed = (html: string) => new DOMParser().parseFromString(html, 'text/html')

/** The arguments that a shell hands to the command. */
function argumentsOf(parts: Parameters<typeof codeText>[0], key = ''): string[] {
  const show = `() { for word; do printf '%s\\0' "$word"; done; }`
  const script = `curl ${show}; npx ${show}; ${codeText(parts)}`
  const env = { PAGE_PREVIEW_API_KEY: key }
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1)
}

/** The props that the JSX of a sample gives, read from its syntax tree. */
function propsOf(code: string): Record<string, unknown> {
  const file = ts.createSourceFile('sample.tsx', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX)
  const statement = file.statements.at(-1)!
  if (!ts.isExpressionStatement(statement) || !ts.isJsxSelfClosingElement(statement.expression)) throw new Error(code)
  const props: Record<string, unknown> = {}
  for (const attribute of statement.expression.attributes.properties)
    if (ts.isJsxSpreadAttribute(attribute)) Object.assign(props, valueOf(attribute.expression))
    else props[attribute.name.getText()] = initialOf(attribute.initializer)
  return props
}

function initialOf(value: ts.JsxAttribute['initializer']): unknown {
  if (!value) return true
  if (ts.isStringLiteral(value)) return value.text
  if (ts.isJsxExpression(value) && value.expression) return valueOf(value.expression)
  throw new Error(value.getText())
}

function valueOf(node: ts.Expression): unknown {
  if (ts.isStringLiteral(node)) return node.text
  if (ts.isNumericLiteral(node)) return Number(node.text)
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOf)
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  if (!ts.isObjectLiteralExpression(node)) throw new Error(node.getText())
  return Object.fromEntries(
    node.properties.map((property) => {
      if (!ts.isPropertyAssignment(property)) throw new Error(property.getText())
      const name = ts.isStringLiteral(property.name) ? property.name.text : property.name.getText()
      return [name, valueOf(property.initializer)]
    }),
  )
}
