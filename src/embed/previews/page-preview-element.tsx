import { createRoot, type Root } from 'react-dom/client'
import { PagePreview } from '../../react/index.js'
import { PROPERTIES } from '../asking/index.js'
import type { PagePreviewElement, PreviewSettings } from '../element/index.js'
import type { Making } from './making.js'
import { followLink } from './follow-link.js'
import { BEHIND_LINK, linkOf } from './link-of.js'
import { propsOf } from './props-of.js'
import { serviceWarning } from './service-warning.js'
import { focusCard, shadowOf } from './shadow-of.js'

/** Makes the class to be defined as `page-preview`. */
export function pagePreviewElement(making: Making): new () => PagePreviewElement {
  const { settings, sheet } = making
  const warn = serviceWarning()
  // Of previews beside links too.
  addEventListener('page-preview:error', ({ detail }) => warn(detail), true)
  class PreviewElement extends HTMLElement implements PagePreviewElement {
    #query: PreviewSettings = {}
    #root: Root | undefined
    readonly #observer = new MutationObserver(() => this.#show())
    readonly #show = () => {
      // Whoever takes the link away, or its mark, has no use for what stands behind it.
      if (this.hasAttribute(BEHIND_LINK) && !linkOf(this)) return this.remove()
      const props = propsOf(this, making)
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
      for (const said of [this, linkOf(this)])
        if (said)
          this.#observer.observe(said, { attributes: true, childList: true, subtree: true, characterData: true })
      if (this.hasAttribute(BEHIND_LINK)) this.#observer.observe(this.parentNode!, { childList: true })
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
