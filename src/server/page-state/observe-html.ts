import { Parser } from 'htmlparser2'
import { OWN_METADATA, type ObservedDocument } from './page-observation.js'

/** Like the observation of a browser: no state has more text, so the rest of a document does not matter. */
const ENOUGH_CHARS = 4_100
const MAX_TEXT_CHARS = 4_000
const MAX_TAGS = 5_000
const MAX_DEPTH = 512
const MAX_HTML_CHARS = 1_000_000
/** Markup of bot checks and of parked domains is near the beginning. */
const MAX_MARKUP_CHARS = 200_000
const MAX_HEADINGS = 3
const MAX_HEADING_CHARS = 200
const MAX_TITLE_CHARS = 500
const MAX_LABELS = 50
const MAX_LABEL_CHARS = 80
const MAX_ATTRIBUTE_CHARS = 500

type Attributes = Readonly<Record<string, string>>

const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'option', 'svg'])
/** Elements within a word. */
const INLINE = new Set(['b', 'strong', 'i', 'em', 'span', 'a', 'wbr', 'sup', 'sub', 'font'])
const HEADING = /^h[123]$/
const MEDIA = new Set(['img', 'svg', 'canvas', 'video', 'iframe', 'embed', 'object'])
const TEXT_FIELD = /^(?:text|email|tel|search|url|number|)$/i
const CAPTCHA = /\b(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha|geetest_holder)\b/
const CAPTCHA_ADDRESS = /captcha|challenges\.cloudflare\.com|turnstile/i
const HIDDEN_STYLE = /display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}hidden/i
const HIDDEN_CLASS = /(?:^|\s)(?:hidden|d-none|hide|is-hidden|invisible)(?:\s|$)/

const SHADOW_ROOT_MODE = /^(?:open|closed)$/i

/**
 * Whether a tag is a `<template>` whose content browsers show in place of that of its parent.
 *
 * @see https://html.spec.whatwg.org/multipage/scripting.html#attr-template-shadowrootmode
 */
export const isShadowRoot = (name: string, { shadowrootmode = '' }: Attributes): boolean =>
  name === 'template' && SHADOW_ROOT_MODE.test(shadowrootmode)

/** An element whose text is collected. */
interface OpenText {
  depth: number
  text: string
  list: string[]
  maxChars: number
}

/**
 * Reads what a document shows from its HTML alone. Styles and scripts are not known, so its text may also have what they hide, and lacks
 * what they add. It stops as soon as the document has more text than any page without content.
 */
export function observeHtml(html: string, contentType: string): ObservedDocument {
  const observer = new HtmlObserver()
  const parser = new Parser({
    onopentag(name, attributes) {
      observer.openTag(name, attributes)
      if (observer.isFull) parser.pause()
    },
    ontext(text) {
      observer.addText(text)
      if (observer.isFull) parser.pause()
    },
    onclosetag: (name) => observer.closeTag(name),
  })
  parser.end(html.slice(0, MAX_HTML_CHARS))
  // What was not read has more content than any of these states.
  const unreadChars = observer.isFull || html.length > MAX_HTML_CHARS ? ENOUGH_CHARS : 0
  return observer.observe(contentType, html, unreadChars)
}

class HtmlObserver {
  readonly #headings: string[] = []
  readonly #labels: string[] = []
  readonly #titles: string[] = []
  readonly #fields = { password: 0, text: 0, captcha: 0 }
  readonly #open: OpenText[] = []
  #text = ''
  #textChars = 0
  #tags = 0
  #mediaCount = 0
  #depth = 0
  /** Depth of the outermost open element that is not visible; 0 outside of any. */
  #hiddenDepth = 0
  #hasOwnMetadata = false
  #hasActiveContent = false

  get isFull(): boolean {
    return this.#textChars >= ENOUGH_CHARS || this.#tags > MAX_TAGS || this.#depth > MAX_DEPTH
  }

  openTag(name: string, attributes: Attributes): void {
    this.#tags++
    this.#depth++
    this.#readActivity(name, attributes)
    if (name === 'meta') this.#hasOwnMetadata ||= isOwnMetadata(attributes)
    if (this.#hiddenDepth) return
    if (MEDIA.has(name) && !isHidden(name, attributes)) this.#mediaCount++
    if ((SKIPPED.has(name) && !isShadowRoot(name, attributes)) || isHidden(name, attributes)) {
      this.#hiddenDepth = this.#depth
      return
    }
    if (name === 'title' && !this.#titles.length) this.#collect(this.#titles, MAX_TITLE_CHARS)
    if (HEADING.test(name) && this.#headings.length < MAX_HEADINGS) this.#collect(this.#headings, MAX_HEADING_CHARS)
    if (name === 'a' || name === 'button' || attributes.role === 'button') this.#addLabel()
    if (name === 'input' || name === 'textarea') this.#addField(name, attributes)
    if (isCaptcha(attributes)) this.#fields.captcha++
  }

  addText(text: string): void {
    const title = this.#open.find(({ list }) => list === this.#titles)
    if (title && title.text.length < title.maxChars) title.text += text
    if (this.#hiddenDepth || title) return
    const words = text.slice(0, ENOUGH_CHARS).replace(/\s+/g, ' ')
    this.#textChars += words.trim().length
    if (this.#text.length < MAX_TEXT_CHARS) this.#text += words
    for (const open of this.#open) if (open.text.length < open.maxChars) open.text += words
  }

  closeTag(name: string): void {
    while (this.#open.length && this.#open.at(-1)!.depth >= this.#depth) this.#closeText(this.#open.pop()!)
    if (this.#hiddenDepth === this.#depth) this.#hiddenDepth = 0
    if (!INLINE.has(name)) this.#addSpace()
    this.#depth--
  }

  #addSpace(): void {
    this.#text += ' '
    for (const open of this.#open) open.text += ' '
  }

  observe(contentType: string, html: string, unreadChars: number): ObservedDocument {
    while (this.#open.length) this.#closeText(this.#open.pop()!)
    const textChars = this.#textChars + unreadChars
    return {
      isRendered: false,
      contentType,
      title: this.#titles[0] ?? '',
      headings: this.#headings,
      text: this.#text.slice(0, MAX_TEXT_CHARS).replace(/ +/g, ' ').trim(),
      textChars,
      html: textChars < ENOUGH_CHARS ? html.slice(0, MAX_MARKUP_CHARS) : '',
      // The whole document is read for that.
      optOut: '',
      hasOwnMetadata: this.#hasOwnMetadata,
      hasActiveContent: this.#hasActiveContent,
      hasContent: textChars + this.#mediaCount > 0,
      media: { count: this.#mediaCount, share: 0, frontShare: 0 },
      fields: this.#fields,
      labels: this.#labels,
      isLoading: false,
      cover: null,
    }
  }

  #readActivity(name: string, { type = '', 'http-equiv': directive = '' }: Attributes): void {
    const isScript = name === 'script' && !/json/i.test(type.slice(0, MAX_ATTRIBUTE_CHARS))
    const isRefresh = name === 'meta' && directive.toLowerCase() === 'refresh'
    this.#hasActiveContent ||= isScript || isRefresh || name === 'iframe' || name === 'object'
  }

  #collect(list: string[], maxChars: number): void {
    this.#open.push({ depth: this.#depth, text: '', list, maxChars })
  }

  #closeText({ text, list, maxChars }: OpenText): void {
    const words = text.replace(/\s+/g, ' ').trim().slice(0, maxChars)
    if (words || list === this.#titles) list.push(words)
  }

  #addLabel(): void {
    if (this.#labels.length < MAX_LABELS) this.#collect(this.#labels, MAX_LABEL_CHARS)
  }

  #addField(name: string, { type = '', value = '' }: Attributes): void {
    if (type.toLowerCase() === 'password') this.#fields.password++
    else if (name === 'textarea' || TEXT_FIELD.test(type)) this.#fields.text++
    else if (/^(?:submit|button)$/i.test(type) && this.#labels.length < MAX_LABELS)
      this.#labels.push(value.slice(0, MAX_LABEL_CHARS))
  }
}

function isOwnMetadata({ name, property, content }: Attributes): boolean {
  return Boolean(content?.trim()) && OWN_METADATA.some((own) => own === (property ?? name)?.toLowerCase())
}

function isHidden(name: string, { style = '', hidden, class: classes = '', open }: Attributes): boolean {
  if (name === 'dialog' && open === undefined) return true
  if (hidden !== undefined || HIDDEN_STYLE.test(style.slice(0, MAX_ATTRIBUTE_CHARS))) return true
  // Scripts show the whole page.
  return name !== 'html' && name !== 'body' && HIDDEN_CLASS.test(classes.slice(0, MAX_ATTRIBUTE_CHARS))
}

const isCaptcha = ({ class: classes = '', src = '', name = '' }: Attributes) =>
  CAPTCHA.test(classes.slice(0, MAX_ATTRIBUTE_CHARS)) ||
  CAPTCHA_ADDRESS.test(src.slice(0, MAX_ATTRIBUTE_CHARS)) ||
  /captcha/i.test(name.slice(0, MAX_ATTRIBUTE_CHARS))
