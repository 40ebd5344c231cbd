import { createRoot, type Root } from 'react-dom/client'
import { readAttributes } from '../../card/index.js'
import { PagePreview } from '../../react/index.js'
import type { PagePreviewElement, PreviewConfig } from '../element/index.js'
import { elementProperties } from '../options.js'
import { previewProps, REPLACES_LINK, sourceLink, type PreviewEnvironment } from './preview-props.js'

const OBSERVED: MutationObserverInit = { attributes: true, childList: true, subtree: true, characterData: true }

/** Creates the class to be defined as `page-preview`. */
export function createPreviewElement(environment: PreviewEnvironment): new () => PagePreviewElement {
  const { sharedOptions, sheet } = environment
  class PreviewElement extends HTMLElement implements PagePreviewElement {
    #query: PreviewConfig = {}
    #root: Root | undefined
    #isFrozen = false
    #theme: PreviewConfig['theme']
    readonly #observer = new MutationObserver(() => this.#render())
    readonly #render = () => {
      if (this.#isFrozen) {
        if (!sharedOptions.isFrozen(this)) this.connectedCallback()
        return
      }
      // The page has removed the link, or its mark.
      if (this.hasAttribute(REPLACES_LINK) && !sourceLink(this)) return this.remove()
      const props = previewProps(this, environment)
      this.toggleAttribute('data-inline', props.layout === 'inline')
      this.#theme = props.theme
      this.#root?.render(<PagePreview {...props} />)
    }
    readonly #updateTheme = () => {
      if (this.#root && previewProps(this, environment).theme !== this.#theme) this.#render()
    }

    get query() {
      return this.#query
    }

    set query(query) {
      this.#query = query
      this.#render()
    }

    connectedCallback() {
      upgradeProperties(this)
      sharedOptions.addEventListener('change', this.#render)
      sharedOptions.addEventListener('theme', this.#updateTheme)
      this.#isFrozen = sharedOptions.isFrozen(this)
      if (!this.#isFrozen) this.#mount()
    }

    #mount() {
      const shadow = attachShadow(this, sheet)
      // Also of a preview that the page has moved with its link.
      if (this.hasAttribute(REPLACES_LINK)) this.#observer.observe(this.parentNode!, { childList: true })
      if (this.#root) return
      const hadFocus = this.querySelector(':focus')
      shadow.addEventListener('click', forwardClick)
      this.#root = createRoot(shadow)
      for (const source of [this, sourceLink(this)]) if (source) this.#observer.observe(source, OBSERVED)
      this.#render()
      if (hadFocus) focusPreview(this)
    }

    disconnectedCallback() {
      // An element that is only moved is connected again before the microtask runs.
      queueMicrotask(() => {
        if (this.isConnected) return
        this.#observer.disconnect()
        sharedOptions.removeEventListener('change', this.#render)
        sharedOptions.removeEventListener('theme', this.#updateTheme)
        this.#root?.unmount()
        this.#root = undefined
      })
    }
  }
  defineProperties(PreviewElement.prototype)
  return PreviewElement
}

/** Sets properties again that were set before the class was defined, because they hide its accessors. */
function upgradeProperties(element: PagePreviewElement): void {
  for (const name of ['query', ...elementProperties])
    if (Object.hasOwn(element, name)) {
      const value: unknown = Reflect.get(element, name)
      Reflect.deleteProperty(element, name)
      Reflect.set(element, name, value)
    }
}

/** Each property reads and writes its part of `query`. */
function defineProperties(prototype: PagePreviewElement): void {
  for (const name of elementProperties)
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: PagePreviewElement) {
        return this.query[name as keyof PreviewConfig]
      },
      set(this: PagePreviewElement, value: unknown) {
        // Frameworks set the text of an attribute as the property of the same name.
        const parsed = typeof value === 'string' && readAttributes([{ name, value }])
        this.query = { ...this.query, [name]: value, ...parsed }
      },
    })
}

/** The shadow root of an element, which keeps the page's styles out and the preview's styles in. */
export function attachShadow(element: HTMLElement, sheet: CSSStyleSheet): ShadowRoot {
  const shadow = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = [sheet]
  return shadow
}

/** Moves the focus to the link of a preview, from the link that it replaces. */
export const focusPreview = ({ shadowRoot }: Element): void =>
  shadowRoot?.querySelector('a')?.focus({ preventScroll: true })

/**
 * Forwards a click on the link of a preview to the link in the page, whose target applies and whose listeners run. With a
 * modifier key, which browsers do not apply to scripted clicks, the click stays where it is.
 */
function forwardClick(event: Event): void {
  const clicked = event.target instanceof Element ? event.target.closest('a') : undefined
  const root = clicked?.getRootNode()
  const link = root instanceof ShadowRoot ? sourceLink(root.host) : undefined
  if (!link || link.href !== clicked?.href || !(event instanceof MouseEvent)) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  event.stopPropagation()
  link.dispatchEvent(new MouseEvent('click', event))
}
