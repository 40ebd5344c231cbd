import { createRoot, type Root } from 'react-dom/client'
import { PagePreview, type PagePreviewProps } from '../react/index.js'
import { adoptStyles } from './adopt-styles.js'
import { readAttributes } from './read-attributes.js'
import type { ScriptSettings } from './script-settings.js'

/** The element `<page-preview>`. Its link, if it has one, is for those whom the script never reaches, and gives the words. */
export interface PagePreviewElement extends HTMLElement {
  /** Words and options that go before the attributes. */
  query: Partial<PagePreviewProps>
}

/** Makes the class to be defined as `page-preview`. */
export function pagePreviewElement(settings: ScriptSettings): new () => PagePreviewElement {
  return class extends HTMLElement implements PagePreviewElement {
    #query: Partial<PagePreviewProps> = {}
    #root: Root | undefined
    readonly #observer = new MutationObserver(() => this.#show())
    readonly #show = () => this.#root?.render(<PagePreview {...propsOf(this, settings)} />)

    get query() {
      return this.#query
    }

    set query(query) {
      this.#query = query
      this.#show()
    }

    connectedCallback() {
      this.#root = createRoot(containerOf(this))
      this.#observer.observe(this, { attributes: true, childList: true, subtree: true, characterData: true })
      settings.addEventListener('change', this.#show)
      this.#show()
    }

    disconnectedCallback() {
      this.#observer.disconnect()
      settings.removeEventListener('change', this.#show)
      this.#root?.unmount()
      this.#root = undefined
    }
  }
}

function containerOf(element: HTMLElement): Element {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  const existing = shadow.querySelector('div')
  if (existing) return existing
  adoptStyles(shadow)
  const container = document.createElement('div')
  container.style.display = 'contents'
  shadow.append(container)
  return container
}

function propsOf(element: PagePreviewElement, settings: ScriptSettings): PagePreviewProps {
  const link = element.querySelector('a')
  const tell = (event: string) => (detail: unknown) =>
    void element.dispatchEvent(new CustomEvent(`page-preview:${event}`, { detail, bubbles: true, composed: true }))
  return {
    ...settings.defaults,
    url: link?.href ?? '',
    theme: themeAround(element),
    ...readAttributes(element),
    ...element.query,
    children: link?.textContent.trim() || undefined,
    queryClient: settings.queryClient,
    onLoad: tell('load'),
    onError: tell('error'),
    onRefresh: tell('refresh'),
  }
}

/** The nearest `data-theme`, which rules in a shadow root cannot see. */
function themeAround(element: Element): PagePreviewProps['theme'] {
  const theme = element.closest('[data-theme]')?.getAttribute('data-theme')
  return theme === 'dark' || theme === 'light' ? theme : 'auto'
}
