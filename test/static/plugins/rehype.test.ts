import rehypeStringify from 'rehype-stringify'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import rehypePagePreview from '../../../src/static/plugins/rehype.js'
import type { TreeNode } from '../../../src/static/plugins/write-tree.js'
import { fakeSource } from '../freeze/fake-source.js'
import { temporarySite } from '../freeze/temporary-site.js'

const URL = 'https://example.com/'

async function settings() {
  const { dir, paths } = await temporarySite({})
  const { source, captured } = fakeSource()
  return { captured, publicDir: dir, options: { ...paths, publicDir: dir, source, auto: 'p > a:only-child' } }
}

it('adds HTML to Markdown that becomes HTML', async () => {
  const { options, publicDir } = await settings()
  const file = await unified()
    .use(remarkParse)
    .use(remarkRehype)
    .use(rehypePagePreview, { ...options, mdx: false })
    .use(rehypeStringify, { allowDangerousHtml: true })
    .process(`# Notes\n\n[Example](${URL})\n`)
  const html = String(file)
  expect(html).toMatch(
    /^<h1>Notes<\/h1>\n<p><page-preview .*data-frozen.*<span class="page-preview".*<\/page-preview><\/p>$/s,
  )
  const images = [...html.matchAll(/\/page-preview\/([\w.]+)/g)].map(([, name]) => name)
  expect(images.length).toBeGreaterThan(0)
  expect(await readdir(join(publicDir, 'page-preview'))).toEqual(expect.arrayContaining(images))
})

it('adds JSX to MDX, whose HTML React leaves alone, and imports the stylesheet', async () => {
  const { options, publicDir } = await settings()
  const preview: TreeNode = {
    type: 'mdxJsxFlowElement',
    name: 'page-preview',
    attributes: [
      { type: 'mdxJsxAttribute', name: 'url', value: URL },
      { type: 'mdxJsxAttribute', name: 'screenshot', value: null },
    ],
    children: [],
  }
  const tree: TreeNode = { type: 'root', children: [preview] }
  await rehypePagePreview(options)(tree)
  const [stylesheet, card] = tree.children!
  expect(JSON.stringify(stylesheet)).toContain(
    JSON.stringify(join(publicDir, 'page-preview/page-preview.')).slice(0, -1),
  )
  expect(card).toMatchObject({ type: 'mdxJsxFlowElement', name: 'page-preview', children: [] })
  expect(card!.attributes!.map(({ name }) => name)).toEqual([
    'url',
    'screenshot',
    'data-frozen',
    'dangerouslySetInnerHTML',
  ])
  expect(JSON.stringify(card)).toContain('Title of https://example.com/')
})

it.each([
  ['in a folder beside it', 'app/notes/page.mdx', '../../site/page-preview/page-preview.'],
  ['below the page', 'page.mdx', './site/page-preview/page-preview.'],
])('imports the stylesheet by a path relative to the page: %s', async (_, page, start) => {
  const { options, publicDir } = await settings()
  const preview = { type: 'mdxJsxFlowElement', name: 'page-preview', attributes: [], children: [] }
  const url = { type: 'mdxJsxAttribute', name: 'url', value: URL }
  const tree: TreeNode = { type: 'root', children: [{ ...preview, attributes: [url] }] }
  await rehypePagePreview(options)(tree, { path: join(publicDir, '..', page) })
  expect(JSON.stringify(tree.children![0])).toContain(JSON.stringify(start).slice(0, -1))
})

it.each(['/docs', '/docs/'])('refers to images below the base %s', async (base) => {
  const { options } = await settings()
  const tree: TreeNode = {
    type: 'root',
    children: [{ type: 'element', tagName: 'page-preview', properties: { url: URL, screenshot: '' }, children: [] }],
  }
  await rehypePagePreview({ ...options, base, mdx: false })(tree)
  expect(tree.children![0]!.value).toMatch(/src="\/docs\/page-preview\/[\w.]+"/)
})

it('captures once for several compilers that run at the same time', async () => {
  const { options, captured } = await settings()
  const compile = () =>
    rehypePagePreview(options)({
      type: 'root',
      children: [
        {
          type: 'element',
          tagName: 'page-preview',
          properties: { url: URL, screenshot: '' },
          children: [],
        },
      ],
    })
  await Promise.all([compile(), compile()])
  expect(captured).toEqual([URL])
})

it('puts no card into another preview when one is left as it is', async () => {
  const { options } = await settings()
  const preview = (url: string, properties = {}) => ({
    type: 'element',
    tagName: 'page-preview',
    properties: { url, ...properties },
    children: [],
  })
  const inElement = (tagName: string, child: TreeNode) => ({
    type: 'element',
    tagName,
    properties: {},
    children: [child],
  })
  const tree: TreeNode = {
    type: 'root',
    children: [
      inElement('pre', preview('https://code.test/', { 'data-frozen': '' })),
      inElement('a', preview('https://in-link.test/')),
      preview('https://b.test/'),
    ],
  }
  await rehypePagePreview({ ...options, mdx: false })(tree)
  const [code, link, card] = tree.children!
  expect(code!.children).toMatchObject([{ tagName: 'page-preview' }])
  expect(link!.children).toMatchObject([{ tagName: 'page-preview' }])
  expect(card).toMatchObject({ type: 'raw', value: expect.stringContaining('Title of https://b.test/') as unknown })
})
