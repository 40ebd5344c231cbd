// Covers what a screen reader is told of previews, as the browser's accessibility tree has it, and the keyboard.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { cdp, page as browser, userEvent } from 'vitest/browser'
import { HoverPreview, PagePreview, PagePreviewProvider, PageScreenshot } from '../../src/react/index.js'
import '../../src/react/styles.css'
import { fakeService, page, screenshot, TARGET, type FakeService } from './fake-service.js'
import imageUrl from './images/old.png?url'

let service: FakeService

beforeEach(async () => {
  await browser.viewport(1000, 900)
  service = fakeService({ data: { ...page, screenshot: { ...screenshot, url: imageUrl, width: 1280, height: 800 } } })
})
afterEach(() => cleanup())

const show = (children: ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PagePreviewProvider fetch={service.fetch}>{children}</PagePreviewProvider>
    </QueryClientProvider>,
  )

interface AxNode {
  nodeId: string
  childIds?: string[]
  ignored: boolean
  role?: { value: string }
  name?: { value: string }
}

interface FrameTree {
  frame: { id: string }
  childFrames?: FrameTree[]
}

/** Roles that say something, each with its name, in the order of the document: `link "How a tide table is made"`. */
async function spoken(): Promise<string[]> {
  const { frameTree } = (await cdp().send('Page.getFrameTree')) as { frameTree: FrameTree }
  const frameId = frameTree.childFrames![0]!.frame.id
  const { nodes } = (await cdp().send('Accessibility.getFullAXTree', { frameId })) as { nodes: AxNode[] }
  const nodesById = new Map(nodes.map((node) => [node.nodeId, node]))
  const inOrder = (node: AxNode): AxNode[] => [
    node,
    ...(node.childIds ?? []).flatMap((id) => inOrder(nodesById.get(id)!)),
  ]
  return inOrder(nodes[0]!)
    .filter(
      ({ ignored, role }) => !ignored && /^(link|image|img|button|article|figure|status)$/.test(role?.value ?? ''),
    )
    .map(({ role, name }) =>
      [role!.value.replace('img', 'image'), name?.value && `"${name.value.trim()}"`].filter(Boolean).join(' '),
    )
}
const untilSpoken = (expected: string[]) =>
  vi.waitFor(async () => expect(await spoken()).toEqual(expected), { timeout: 10_000 })

const TITLE = 'How a tide table is made'
const IMAGE = `image "${TITLE}"`

describe('a screen reader hears', () => {
  it.each([
    ['card', ['article', IMAGE, `link "${TITLE}"`]],
    ['row', ['article', IMAGE, `link "${TITLE}"`]],
    ['image', ['figure', IMAGE, `link "${TITLE}"`]],
    ['inline', ['link "the essay"']],
  ] as const)('of the layout %s what it is, its image and its link', async (layout, expected) => {
    await show(
      <PagePreview url={TARGET} screenshot layout={layout} loading="eager">
        the essay
      </PagePreview>,
    )
    await untilSpoken([...expected])
  })

  it('of a failed card a link, and a button for a failure that may end', async () => {
    service.respondWith({ error: { status: 504, code: 'ETIMEOUT' } })
    await show(
      <PagePreview url={TARGET} screenshot loading="eager">
        the essay
      </PagePreview>,
    )
    await untilSpoken(['article', 'link "the essay"', 'button "Retry"'])
  })

  it('of a hover preview only its link, also while it is open', async () => {
    await show(
      <HoverPreview screenshot delay={0}>
        <a href={TARGET}>the essay</a>
      </HoverPreview>,
    )
    await untilSpoken(['link "the essay"'])
    await userEvent.tab()
    await vi.waitFor(() => expect(document.querySelector('.pp-popover:popover-open img')).not.toBeNull(), 10_000)
    expect(await spoken()).toEqual(['link "the essay"'])
  })

  it('of a screenshot alone its image, also when it failed', async () => {
    service.respondWith({ error: { status: 403, code: 'EFORBIDDENURL' } })
    await show(<PageScreenshot url={TARGET} endpoint="/nothing-here" loading="eager" />)
    await vi.waitFor(() => expect(document.querySelector('canvas')).not.toBeNull(), 10_000)
    await untilSpoken(['image "Screenshot of shoreline.example"'])
  })
})

describe('the keyboard', () => {
  it('reaches each preview once, in the order of the document, and follows its link by Enter', async () => {
    const followed: string[] = []
    await show(
      <div
        onClick={(event) => {
          event.preventDefault()
          followed.push((event.target as Element).closest('a')!.hash)
        }}
      >
        <PagePreview url={`${TARGET}#card`} screenshot data={page} />
        <PagePreview url={`${TARGET}#row`} layout="row" data={page} />
        <PagePreview url={`${TARGET}#image`} layout="image" data={page} />
        <PagePreview url={`${TARGET}#inline`} layout="inline" data={page} />
        <HoverPreview data={page}>
          <a href={`${TARGET}#hover`}>the essay</a>
        </HoverPreview>
      </div>,
    )
    for (let previews = 0; previews < 5; previews++) {
      await userEvent.tab()
      await userEvent.keyboard('{Enter}')
    }
    expect(followed).toEqual(['#card', '#row', '#image', '#inline', '#hover'])
  })
})
