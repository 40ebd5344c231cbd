import { createRoot, type Root } from 'react-dom/client'
import type { PageError } from '../../query/index.js'
import { PagePreview, type PagePreviewProps } from '../../react/index.js'
import { PROPERTIES, saidOf } from '../asking/index.js'
import type { PagePreviewElement, PreviewSettings } from '../element/index.js'
import type { Making } from './making.js'
import { followLink } from './follow-link.js'
import { themeAround } from './page-theme.js'
import { serviceWarning } from './service-warning.js'
import { focusCard, shadowOf } from './shadow-of.js'

/** Makes the class to be defined as `page-preview`. */
export function pagePreviewElement(making: Making): new () => PagePreviewElement {
  const { settings, sheet } = making
  const warnOf = serviceWarning()
  class PreviewElement extends HTMLElement implements PagePreviewElement {
    #query: PreviewSettings = {}
    #root: Root | undefined
    readonly #observer = new MutationObserver(() => this.#show())
    readonly #show = () => {
      const props = propsOf(this, making, warnOf)
      this.toggleAttribute('data-inline', props.layout === 'inline')
      this.#root?.render(<PagePreview {...props} />)
    }

    get query() {
      return this.#query
    }

    set query(query) {
      this.#query = query
      this.#show()
    }

    connectedCallback() {
      // What was set before the class was there hides the accessors.
      for (const name of ['query', ...PROPERTIES])
        if (Object.hasOwn(this, name)) {
          const value: unknown = Reflect.get(this, name)
          Reflect.deleteProperty(this, name)
          Reflect.set(this, name, value)
        }
      const shadow = shadowOf(this, sheet)
      if (this.#root) return
      const hadFocus = this.querySelector(':focus')
      shadow.addEventListener('click', followLink)
      this.#root = createRoot(shadow)
      this.#observer.observe(this, { attributes: true, childList: true, subtree: true, characterData: true })
      settings.addEventListener('change', this.#show)
      this.#show()
      if (hadFocus) focusCard(this)
    }

    disconnectedCallback() {
      // An element that is only moved is back in the page before its turn comes.
      queueMicrotask(() => {
        if (this.isConnected) return
        this.#observer.disconnect()
        settings.removeEventListener('change', this.#show)
        this.#root?.unmount()
        this.#root = undefined
      })
    }
  }
  for (const name of PROPERTIES)
    Object.defineProperty(PreviewElement.prototype, name, {
      configurable: true,
      get(this: PagePreviewElement) {
        return this.query[name as keyof PreviewSettings]
      },
      set(this: PagePreviewElement, value: unknown) {
        this.query = { ...this.query, [name]: value }
      },
    })
  return PreviewElement
}

function propsOf(
  element: PagePreviewElement,
  { settings, queryClient }: Making,
  warnOf: (error: PageError) => void,
): PagePreviewProps {
  const link = element.querySelector('a')
  const said = saidOf(element, settings)
  if (settings.isPrinted) settings.near.add(element)
  const tell = (event: string) => (detail: unknown) =>
    void element.dispatchEvent(new CustomEvent(`page-preview:${event}`, { detail, bubbles: true, composed: true }))
  return {
    fetch: settings.ahead.fetch,
    ...said,
    ...(settings.near.has(element) && { loading: 'eager' }),
    theme: themeAround(element, said.theme),
    children: link?.textContent.trim() || undefined,
    queryClient,
    onLoad: tell('load'),
    onError(error) {
      warnOf(error)
      tell('error')(error)
    },
    onRefresh: tell('refresh'),
  }
}
