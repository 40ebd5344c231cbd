// Covers styles.css: what it promises about the cascade.
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanup, render } from 'vitest-browser-react'
import { PagePreview, PagePreviewProvider, type PartName } from '../../src/react/index.js'
import '../../src/react/styles.css'
import stylesText from '../../src/react/styles.css?raw'
import { deferred, fakeService, page, screenshot, TARGET } from './fake-service.js'
import imageUrl from './images/old.png?url'

/** One utility of Tailwind 4 for each kind of property that a card sets. */
const UTILITIES = {
  'p-6': 'padding: 24px',
  'm-3': 'margin: 12px',
  'border-2': 'border-style: solid; border-width: 2px',
  'border-red-500': 'border-color: rgb(251, 44, 54)',
  'rounded-none': 'border-radius: 0px',
  'bg-sky-100': 'background-color: rgb(223, 242, 254)',
  'text-lg': 'font-size: 18px; line-height: 28px',
  'text-sky-900': 'color: rgb(2, 74, 112)',
  'gap-4': 'gap: 16px',
  'font-serif': 'font-family: serif',
  'font-black': 'font-weight: 900',
  underline: 'text-decoration-line: underline',
  'shadow-none': 'box-shadow: none',
  'opacity-50': 'opacity: 0.5',
}
const allUtilities = Object.keys(UTILITIES).join(' ')

let removeUtilities: () => void
beforeEach(() => {
  const rules = Object.entries(UTILITIES).map(([name, declarations]) => `.${name} { ${declarations} }`)
  const text = `@layer page-preview, utilities; @layer utilities { ${rules.join('\n')} }`
  const sheet = Object.assign(document.createElement('style'), { textContent: text })
  // Before the stylesheet of previews, as in an app that declares the order of its layers.
  document.head.prepend(sheet)
  removeUtilities = () => sheet.remove()
})
afterEach(async () => {
  await cleanup()
  removeUtilities()
})

const data = {
  ...page,
  logo: null,
  screenshot: { ...screenshot, url: imageUrl, width: 1280, height: 800 },
  video: { url: 'https://a.example/a.mp4', type: 'mp4', size: 1, size_pretty: '1 B', width: 64, height: 64 },
}
const forever = deferred().promise
const failing = { error: { status: 504, code: 'ETIMEOUT' } }

/** Where each part is to be seen. */
const PARTS: Readonly<Partial<Record<PartName, Parameters<typeof fakeService>>>> = {
  root: [{ data }],
  media: [{ data }],
  image: [{ data }],
  fallback: [failing],
  play: [{ data }],
  status: [{ data, cache: 'STALE', timestamp: 1_000 }, { after: forever }],
  body: [{ data }],
  link: [{ data }],
  title: [{ data }],
  description: [{ data }],
  site: [{ data }],
  icon: [{ data }],
  host: [{ data }],
  imageDetails: [{ data }],
  retry: [failing],
  skeleton: [{ after: forever }],
}

/** The declarations of all utilities that an element does not follow. */
function ignoredBy(element: Element): string[] {
  const style = getComputedStyle(element)
  const wanted = document.createElement('i').style
  wanted.cssText = Object.values(UTILITIES).join(';')
  return [...wanted].flatMap((name) => {
    const [value, actual] = [wanted.getPropertyValue(name), style.getPropertyValue(name)]
    return actual === value ? [] : [`${name}: ${actual}`]
  })
}

const show = (responses: Parameters<typeof fakeService>, props: object) =>
  render(
    <PagePreviewProvider fetch={fakeService(...responses).fetch} queryClient={new QueryClient()}>
      <PagePreview url={TARGET} screenshot loading="eager" {...props} />
    </PagePreviewProvider>,
  )

describe('a utility', () => {
  it.each(Object.entries(PARTS))('of any kind changes the part %s by its class name', async (name, responses) => {
    await show(responses, { classNames: { [name]: allUtilities } })
    const element = () => document.querySelector(`.${Object.keys(UTILITIES)[0]}`)!
    await vi.waitFor(() => expect(element()).not.toBeNull(), { timeout: 10_000 })
    expect(ignoredBy(element())).toEqual([])
  })

  it.each(['card', 'row', 'image', 'inline'] as const)(
    'of any kind changes the root of the layout %s',
    async (layout) => {
      await show([{ data }], { layout, className: allUtilities })
      const root = document.querySelector('.page-preview')!
      await vi.waitFor(() => expect(root.matches('[data-status=ready]')).toBe(true), { timeout: 10_000 })
      expect(ignoredBy(root)).toEqual([])
    },
  )
})

const TEXTS = { title: 'Tide tables of every harbour', description: 'High and low water for each day. '.repeat(20) }

it.each(['text-lg', 'text-2xl', 'text-[20px]'])(
  'a title with the utility %s is not cut in the middle of a line',
  async (name) => {
    const rules = '.text-2xl { font-size: 24px; line-height: 32px } .text-\\[20px\\] { font-size: 20px }'
    const sheet = document.head.appendChild(Object.assign(document.createElement('style'), { textContent: rules }))
    await show([{ data: { ...data, ...TEXTS } }], {
      classNames: { title: name },
      style: { inlineSize: 320, fontSize: 16 },
    })
    await vi.waitFor(() => expect(document.querySelector('[data-status=ready] .pp-description')).not.toBeNull())
    const { bottom, right } = document.querySelector('.pp-text')!.getBoundingClientRect()
    const lines = [...document.querySelectorAll('.pp-title, .pp-description')].flatMap((text) => [
      ...text.getClientRects(),
    ])
    const shown = lines.filter((line) => line.left < right)
    sheet.remove()
    expect(shown.length).toBeGreaterThan(1)
    expect(shown.filter((line) => line.bottom > bottom + 1)).toEqual([])
  },
)

describe('the stylesheet', () => {
  it('has no !important', () => {
    expect(stylesText.replaceAll(/\/\*.*?\*\//gs, '')).not.toMatch(/!\s*important/)
  })

  it('has one layer, and no specificity', () => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(stylesText)
    expect([...sheet.cssRules].map((rule) => rule instanceof CSSLayerBlockRule && rule.name)).toEqual(['page-preview'])
    const specific = styleRules(sheet.cssRules).filter((selector) => !/^:where\(.*\)(::[a-z-]+)?$/.test(selector))
    expect(specific).toEqual([])
  })
})

/** Each selector, split at the commas between its alternatives. */
function styleRules(rules: CSSRuleList): string[] {
  return [...rules].flatMap((rule) => {
    if (rule instanceof CSSStyleRule) return rule.selectorText.split(/,\s*(?=:where)/)
    return 'cssRules' in rule && !(rule instanceof CSSKeyframesRule) ? styleRules(rule.cssRules as CSSRuleList) : []
  })
}
