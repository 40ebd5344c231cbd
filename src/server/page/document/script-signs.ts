import type { Attributes } from './metadata-sources.js'

/** Elements that frameworks render a whole page into, by their `id`. */
const ROOT_IDS = new Set(
  `root app __next __nuxt ___gatsby gatsby-focus-wrapper __layout react-root react-app reactroot react main-app app-root approot
  app-mount app-container app-content app-wrapper appcontainer application vue-app vue vueapp nuxt ng-app ng-view angular-app
  svelte svelte-app sapper solid-root qwik elm elm-app ember-app ember-basic-dropdown-wormhole q-app ionic-app mount mountnode mount-point
  main-root root-app page-root site-root spa spa-root container-root client-root webapp web-app single-spa-application blazor
  flutter-app flutter_target game remix-app t3-app redwood-app preact preact_root shell wrapper-app frontend fe-app portal-app`.split(
    /\s+/,
  ),
)

/** Elements that may be the root of a page, if they have a name of their own. */
const CONTAINERS = new Set(['div', 'main', 'section'])
const MAX_OPEN = 20
/** Enough for "Loading, please wait…". */
const MAX_PLACEHOLDER_CHARS = 60
const MAX_NOSCRIPT_CHARS = 500

/** Names what visitors have to enable. */
const DEMAND = /java ?script|\bjs\b|ジャバスクリプト/i

const MAX_SCRIPT_CHARS = 5_000
const NAVIGATES =
  /\blocation\s{0,3}(?:\.\s{0,3}href\s{0,3})?=(?!=)|\blocation\s{0,3}\.\s{0,3}(?:replace|assign)\s{0,3}\(/

/** What in a document suggests that its scripts build the page. */
export class ScriptSigns {
  /** Whether an element that frameworks render into has no text: `<div id="root">`, `<app-root>`. */
  hasEmptyRoot = false
  /** Whether any element that has an `id` or is a custom element has no text. */
  hasEmptyContainer = false
  /** Whether it loads a script, or contains one that leads to another page. */
  hasBundle = false
  /** Text of `<noscript>`; its start. */
  #noscript = ''
  readonly #open: { depth: number; textChars: number; isRoot: boolean }[] = []

  /** Whether the page tells visitors to enable JavaScript. */
  get demandsScripts(): boolean {
    return DEMAND.test(this.#noscript)
  }

  openTag(name: string, { id = '' }: Attributes, { depth, textChars }: { depth: number; textChars: number }): void {
    const isCustom = name.includes('-')
    if (this.#open.length >= MAX_OPEN || !(isCustom || (id && CONTAINERS.has(name)))) return
    const isRoot = ROOT_IDS.has(id.toLowerCase()) || /^(?:app|ion|my|web|main)-(?:root|app|shell|main)$/.test(name)
    this.#open.push({ depth, textChars, isRoot })
  }

  openScript({ src }: Attributes): void {
    this.hasBundle ||= Boolean(src)
  }

  addScriptText(text: string): void {
    this.hasBundle ||= NAVIGATES.test(text.slice(0, MAX_SCRIPT_CHARS))
  }

  addNoscriptText(text: string): void {
    if (this.#noscript.length < MAX_NOSCRIPT_CHARS) this.#noscript += text.slice(0, MAX_NOSCRIPT_CHARS)
  }

  closeTag({ depth, textChars }: { depth: number; textChars: number }): void {
    const last = this.#open.at(-1)
    if (last?.depth !== depth) return
    this.#open.pop()
    if (textChars - last.textChars > MAX_PLACEHOLDER_CHARS) return
    this.hasEmptyContainer = true
    this.hasEmptyRoot ||= last.isRoot
  }
}
