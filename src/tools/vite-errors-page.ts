import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import type { Plugin } from 'vite'

const PLACEHOLDER = '<!-- error codes -->'
const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const DOCS_PAGE = '../../stories/docs/errors.mdx'
const PAGES = ['../playground/index.html', '../playground/errors.html']

const parser = unified().use(remarkParse).use(remarkGfm)
const writer = unified().use(remarkRehype).use(rehypeStringify)

type Block = ReturnType<typeof parser.parse>['children'][number]

/**
 * Builds `errors.html` next to the playground from the documentation's page about errors, so that the `more` link of an error
 * response works wherever the service runs. The page has no script.
 */
export function errorsPage(): Plugin {
  return {
    name: 'page-preview:errors-page',
    config: () => ({ build: { rolldownOptions: { input: PAGES.map(fromHere) } } }),
    transformIndexHtml: (html) =>
      html.replace(PLACEHOLDER, () => errorSections(readFileSync(fromHere(DOCS_PAGE), 'utf8'))),
  }
}

/**
 * Renders the documentation page as HTML: the introduction, then a section per error code with the code as its id.
 *
 * @param mdx  The page, which is Markdown without JSX.
 */
export function errorSections(mdx: string): string {
  const blocks = parser.parse(mdx.replaceAll(/\[([^[\]]+)\]\(\.\/[^()]+\)/g, '$1')).children
  const starts = blocks.flatMap((block, index) => (codeOfHeading(block) ? [index] : []))
  const introduction = toHtml(blocks.slice(0, starts[0]))
  const sections = starts.map((start, index) => errorSection(blocks.slice(start, starts[index + 1])))
  return [introduction, ...sections].join('\n')
}

function errorSection([heading, ...explanation]: Block[]): string {
  const code = codeOfHeading(heading)
  return `<section id="${code}"><h2><a href="#${code}">${code}</a></h2>${toHtml(explanation)}</section>`
}

/** The error code that a heading consists of. */
function codeOfHeading(block: Block | undefined): string | undefined {
  if (block?.type !== 'heading' || block.depth !== 2) return undefined
  const [text] = block.children
  return text?.type === 'text' && /^E[A-Z]+$/.test(text.value) ? text.value : undefined
}

const toHtml = (children: Block[]) => writer.stringify(writer.runSync({ type: 'root', children }))
