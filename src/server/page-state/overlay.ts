import { asksForConsent, hasConsentWords, informsOfCookies, isConsentFrame } from './consent.js'
import { foldText, includesAny, includesWords, isLabelOf } from './fold-text.js'
import { isLoginUrl } from './login.js'
import { LOGIN_WORDS } from './login-phrases.js'
import {
  APP_PHRASES,
  CHAT_NAMES,
  DISMISS_LABELS,
  MATTER_PHRASES,
  ORDER_LABELS,
  OVERLAY_FRAMES,
} from './overlay-phrases.js'

/** An element that stays in the viewport, or lies above the page: a bar, a dialog, a button in a corner. Texts are bounded. */
export interface ObservedLayer {
  /** Visible text, that of its frames included as far as it can be read. */
  text: string
  textChars: number
  /** Characters of visible text of the page outside of it. */
  outsideChars: number
  /** Share of the viewport that images, videos and drawings cover outside of it; overlaps count twice. */
  outsideMediaShare: number
  /** Its first heading. */
  heading: string
  /** Of its buttons and links: text, or else name. */
  labels: string[]
  /** Ids, classes, labels and roles of itself, and names, titles and addresses of its frames. */
  names: string
  frameCount: number
  /** Number of fields for an address or a password. */
  fieldCount: number
  /** Share of the viewport that its images and videos cover. */
  mediaShare: number
  /** Edges as shares of the viewport, from its top left corner. */
  box: { left: number; top: number; right: number; bottom: number }
  /** Whether its role or its tag says that it is a dialog. */
  isDialog: boolean
  /** Whether it darkens the page, or something beside it does. */
  hasBackdrop: boolean
  /** Whether it has an element that is named after closing. */
  hasCloser: boolean
  /** Whether it has a navigation, the main part of the page, a search, or a link to the home page. */
  isPartOfSite: boolean
  /** Paths of the pages of the site that it links to, in order; not those with a hash. */
  sitePaths: string[]
  /** Whether the URL or the request names something in it. */
  isRequested: boolean
}

/** The page that has the layers. */
export interface LayeredPage {
  url: string
  title: string
  /** Its first heading outside of the layers. */
  heading: string
}

/** From this much text on there is something to read behind an overlay. */
const MIN_READABLE_CHARS = 200
/** A page of images has as much to show. */
const MIN_READABLE_MEDIA_SHARE = 0.3
/** Longest text of a bar, and its largest share of the viewport. */
const MAX_BAR_CHARS = 400
const MAX_BAR_SHARE = 0.4
const MAX_BAR_LABELS = 4
/** A window for a chat, open or closed, is in a corner at the bottom. */
const MAX_WIDGET_WIDTH = 0.45
const MAX_WIDGET_SHARE = 0.2
/** What covers less is no wall. */
const MIN_WALL_SHARE = 0.85
const MAX_FRAME_SHARE = 0.6
/** Behind a wall, less text is a footer. */
const MIN_CHARS_BEHIND_WALL = 60
/** A dialog for one image. */
const MIN_LIGHTBOX_SHARE = 0.2
const MAX_LIGHTBOX_CHARS = 300

/** Whether a layer is hidden, and why: the end of a sentence that begins with the layer. */
interface LayerVerdict {
  isHidden: boolean
  reason: string
}

/** Whether a layer is an overlay that hides the page, so that the page is better seen without it. */
export function judgeLayer(layer: ObservedLayer, page: LayeredPage): LayerVerdict {
  const hidden = (reason: string) => ({ isHidden: true, reason })
  const shown = (reason: string) => ({ isHidden: false, reason })
  if (layer.isRequested) return shown('contains what the request or the URL names')
  if (layer.isPartOfSite) return shown('is part of the site, such as its header or its navigation')
  if (isConsentBanner(layer) || (layer.frameCount > 0 && isConsentFrame(layer.names)))
    return shareOf(layer) < MIN_WALL_SHARE || hasContentBehind(layer)
      ? hidden('asks for consent')
      : shown('asks for consent, and there is nothing to read behind it')
  if (isCookieNotice(layer)) return hidden('is a bar or a box that informs of cookies')
  if (isWidget(layer)) return hidden('is a chat in a corner')
  if (isBanner(layer)) return hidden('is a bar or a box that leads to an app, a newsletter or an offer')
  if (!isModal(layer)) return shown('is no dialog that is in the way')
  if (!isReadable(layer)) return shown('has more to read than the page behind it')
  if (!canBeDismissed(layer)) return shown('has no button to close it, and is about none of what overlays are about')
  if (isSubjectOfPage(layer, page)) return shown('is what the URL or the title of the page is about')
  return hidden('is a dialog in front of the page')
}

/** Whether hiding it shows more of the page than a corner: then scrolling is unlocked too. */
export const coversPage = (layer: ObservedLayer): boolean => !isWidget(layer)

const shareOf = ({ box }: ObservedLayer) => (box.right - box.left) * (box.bottom - box.top)

/** Whether there is more to see behind it than in it. */
const isReadable = ({ outsideChars, outsideMediaShare, textChars }: ObservedLayer) =>
  (outsideChars >= MIN_READABLE_CHARS && outsideChars >= textChars / 2) ||
  (outsideMediaShare >= MIN_READABLE_MEDIA_SHARE && textChars <= MAX_BAR_CHARS)

const hasContentBehind = ({ outsideChars, outsideMediaShare }: ObservedLayer) =>
  outsideChars >= MIN_CHARS_BEHIND_WALL || outsideMediaShare >= MIN_READABLE_MEDIA_SHARE

/** Whether it is a window for a chat, or the button that opens it. */
function isWidget(layer: ObservedLayer): boolean {
  const { left, right, bottom } = layer.box
  const isInCorner = bottom >= 0.8 && (left <= 0.1 || right >= 0.9) && right - left <= MAX_WIDGET_WIDTH
  return isInCorner && shareOf(layer) <= MAX_WIDGET_SHARE && includesAny(foldText(layer.names), CHAT_NAMES)
}

/** Whether it is a bar at an edge, or a box in a corner. */
function isBar(layer: ObservedLayer): boolean {
  const { textChars, box } = layer
  const isAtEdge = box.top <= 0.05 || box.bottom >= 0.95 || box.right >= 0.95 || box.left <= 0.05
  return isAtEdge && shareOf(layer) <= MAX_BAR_SHARE && textChars <= MAX_BAR_CHARS
}

/** Whether it is a bar that informs of cookies, and can only be closed, or not even that. */
function isCookieNotice(layer: ObservedLayer): boolean {
  const { text, labels, names } = layer
  if (!isBar(layer) || labels.length > MAX_BAR_LABELS || !informsOfCookies(text)) return false
  if (PRICE.test(text) || leadsToOrder(layer)) return false
  return hasDismissal(layer) || labels.length === 0 || NOTICE_NAME.test(names)
}

const NOTICE_NAME = /cookie|consent|gdpr|privacy/i

/** Whether it is a bar at an edge, or a box in a corner, that leads to an app or a newsletter. */
function isBanner(layer: ObservedLayer): boolean {
  const { text, textChars, labels, names, frameCount, fieldCount } = layer
  if (!isBar(layer)) return false
  if (textChars === 0) return frameCount > 0 && includesAny(foldText(names), OVERLAY_FRAMES)
  if (labels.length > MAX_BAR_LABELS || isMenu(layer) || leadsToOrder(layer)) return false
  const words = foldText(text)
  if (includesWords(words, APP_PHRASES)) return labels.length > 0
  return includesWords(words, MATTER_PHRASES) && hasDismissal(layer) && (fieldCount > 0 || labels.length > 1)
}

/** Whether it is a header or a menu of the site: it begins with a link to the home page, or has several links and no button to close it. */
function isMenu(layer: ObservedLayer): boolean {
  const { sitePaths, box } = layer
  const beginsAtHome = sitePaths[0] !== undefined && HOME_PATH.test(sitePaths[0])
  return (beginsAtHome && box.top <= 0.05) || (new Set(sitePaths).size >= MIN_MENU_PATHS && !hasDismissal(layer))
}

const MIN_MENU_PATHS = 3
/** `/`, `/en/home`, `/index.html`. */
const HOME_PATH = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?(?:\/|$))?(?:(?:home|index)(?:\.[a-z]{3,5})?\/?)?$/i

/** Whether a bar asks for consent, and is none of an order: cookies are also sold. */
function isConsentBanner(layer: ObservedLayer): boolean {
  const { text, labels } = layer
  if (!asksForConsent(text, labels)) return false
  const isOfOrder = shareOf(layer) <= MAX_BAR_SHARE && (PRICE.test(text) || leadsToOrder(layer))
  return !isOfOrder || hasConsentWords(foldText(text))
}

const PRICE = /\p{Sc} ?\d|\d ?\p{Sc}/u

const leadsToOrder = ({ labels }: ObservedLayer) => labels.some((label) => isLabelOf(label, ORDER_LABELS))

/** Whether it is in the way of its page: a dialog, or something at the centre, or in front of a dark page. */
function isModal(layer: ObservedLayer): boolean {
  const { box, isDialog, hasBackdrop, names, frameCount } = layer
  const coversCentre = box.left < 0.5 && box.right > 0.5 && box.top < 0.5 && box.bottom > 0.5
  if (hasBackdrop) return coversCentre || isDialog || box.bottom >= 0.95
  // A frame that fills most of the viewport, and says nothing about itself, is the page.
  const isSmallFrame = frameCount > 0 && shareOf(layer) < MAX_FRAME_SHARE
  return coversCentre && (isDialog || isSmallFrame || MODAL_NAME.test(names))
}

const MODAL_NAME =
  /modal|pop-?up|overlay|lightbox|dialog|interstitial|newsletter|paywall|regwall|gate\b|age-?(?:check|confirm|verif)/i

const hasDismissal = ({ hasCloser, labels }: ObservedLayer) =>
  hasCloser || labels.some((label) => isLabelOf(label, DISMISS_LABELS))

/** Whether it has a button that closes it, or is about something that readers of the page do not need. */
function canBeDismissed(layer: ObservedLayer): boolean {
  if (layer.textChars === 0 && layer.frameCount > 0) return true
  const words = foldText(layer.text)
  return (
    hasDismissal(layer) ||
    includesWords(words, MATTER_PHRASES) ||
    isAboutLogin(layer) ||
    includesWords(words, APP_PHRASES)
  )
}

const isAboutLogin = ({ fieldCount, text, labels }: ObservedLayer) =>
  fieldCount > 0 && [text, ...labels].some((words) => includesAny(foldText(words), LOGIN_WORDS))

/** Whether the page is about such dialogs, or its URL or its title is that of the dialog. */
function isSubjectOfPage(layer: ObservedLayer, { url, title, heading }: LayeredPage): boolean {
  if ([title, heading].some((text) => DIALOG_SUBJECT.test(text))) return true
  const { pathname, searchParams, hash } = new URL(url)
  const isLightbox = layer.mediaShare >= MIN_LIGHTBOX_SHARE && layer.textChars <= MAX_LIGHTBOX_CHARS
  if ([...searchParams.keys()].some((name) => DIALOG_PARAMETERS.has(name.toLowerCase().replace(/[-_]/g, ''))))
    return true
  if (DIALOG_PATH.test(pathname) || DIALOG_HASH.test(hash)) return true
  if (isLightbox && (hash.length > 1 || IMAGE_PATH.test(pathname))) return true
  if (isLoginUrl(url) && isAboutLogin(layer)) return true
  const names = foldText(layer.heading)
  const isNamedBy = (text: string) => text.length >= MIN_HEADING_CHARS && foldText(title).includes(text)
  return isNamedBy(names) && !isNamedBy(foldText(heading))
}

const MIN_HEADING_CHARS = 8
const DIALOG_SUBJECT =
  /\b(?:modals?|lightbox(?:es)?|popovers?|popups?|dialogs?|dialogue box(?:es)?|pop-up (?:demo|example|window|plugin)s?|overlays?)\b|モーダル|ダイアログ|モーダルウィンドウ/i
const DIALOG_PATH =
  /\/(?:modals?|lightbox|popovers?|popups?|dialogs?|subscribe|newsletter|signup|sign-up|register)(?:[/.]|$)/i
const DIALOG_HASH = /modal|lightbox|popover|popup|dialog|gallery|photo|image|slide/i
const IMAGE_PATH = /\/(?:photos?|images?|gallery|galleries|media|pictures?|slides?)\//i
const DIALOG_PARAMETERS = new Set([
  'modal',
  'dialog',
  'popup',
  'lightbox',
  'overlay',
  'photo',
  'image',
  'gallery',
  'slide',
  'quickview',
  'story',
  'pid',
])
