import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

export interface CodeBlock {
  /** `stories/docs/react.mdx:12`, for the name of a test. */
  name: string
  /** Path of the page, relative to the repository. */
  page: string
  language: string
  code: string
}

/** Cells as text, with inline code as it is written between its backticks. */
export type Row = readonly string[]

export interface DocsPage {
  /** Relative to the repository. */
  path: string
  text: string
  blocks: CodeBlock[]
  /** Without their heads, by the text of their first head cell. */
  tables: { head: Row; rows: Row[] }[]
  /** Text between backticks, outside of code blocks. */
  inlineCode: string[]
  links: string[]
  headings: string[]
}

interface MarkdownNode {
  type: string
  value?: string
  url?: string
  lang?: string | null
  position?: { start: { line: number } } | undefined
  children?: MarkdownNode[]
}

export const root = join(import.meta.dirname, '../..')
const DOCS = join(root, 'stories/docs')
const OTHERS = [
  'README.md',
  'src/README.md',
  'src/server/README.md',
  'test/README.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
]
const parser = unified().use(remarkParse).use(remarkGfm)

/** Reads the READMEs and every page of the documentation. */
export function readDocs(): DocsPage[] {
  const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mdx'))
  return [...OTHERS.map((name) => join(root, name)), ...pages.map((name) => join(DOCS, name))]
    .filter((path) => existsSync(path))
    .map(readPage)
}

function readPage(absolutePath: string): DocsPage {
  const path = relative(root, absolutePath)
  const text = readFileSync(absolutePath, 'utf8')
  const nodes = [...descendants(parser.parse(text))]
  const ofType = (type: string) => nodes.filter((node) => node.type === type)
  return {
    path,
    text,
    blocks: ofType('code').map(({ lang, value, position }) => ({
      name: `${path}:${position?.start.line}`,
      page: path,
      language: lang ?? '',
      code: value ?? '',
    })),
    tables: ofType('table').map(({ children = [] }) => {
      const [head = [], ...rows] = children.map((row) => (row.children ?? []).map(textOf))
      return { head, rows }
    }),
    inlineCode: ofType('inlineCode').map(textOf),
    links: ofType('link').map(({ url }) => url ?? ''),
    headings: ofType('heading').map(textOf),
  }
}

function* descendants(node: MarkdownNode): Generator<MarkdownNode> {
  yield node
  for (const child of node.children ?? []) yield* descendants(child)
}

const textOf = (node: MarkdownNode): string => node.value ?? (node.children ?? []).map(textOf).join('')
