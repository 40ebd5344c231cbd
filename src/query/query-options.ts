/** Units in which durations are written. */
type Unit = 'ms' | `${'s' | 'sec' | 'second' | 'm' | 'min' | 'minute' | 'h' | 'hr' | 'hour' | 'd' | 'day'}${'' | 's'}`

/** Milliseconds, or text with a unit: `90_000`, `'90s'`, `'1.5 minutes'`. */
export type Duration = number | `${number}` | `${number}${'' | ' '}${Unit}`

export type ImageType = 'jpg' | 'png' | 'webp' | 'avif'

/** Devices of every kind; `resolveDevice` knows about a hundred more. */
type CommonDevice =
  | 'Macbook Pro 13'
  | 'Macbook Pro 16'
  | 'iMac 27'
  | 'iPhone SE'
  | 'iPhone 15'
  | 'iPhone 15 Pro Max'
  | 'iPad Mini'
  | 'iPad Pro 11'
  | 'Galaxy S9+'
  | 'Pixel 5'

/** Any text, because names of devices are case-insensitive; editors suggest the common ones. */
export type Device = CommonDevice | `${CommonDevice} landscape` | (string & {})

/** The options of `overlay`. */
export interface OverlayOptions {
  /**
   * Draw a browser window around the screenshot.
   *
   * @example browser: 'dark'
   */
  readonly browser?: 'light' | 'dark'
  /**
   * Fill behind the screenshot: a color, a CSS gradient or an image URL.
   *
   * @example background: 'linear-gradient(to right, teal, navy)'
   */
  readonly background?: string
}

/** The options of `viewport`, which win over those of `device`. */
export interface ViewportOptions {
  /**
   * Width of the viewport in CSS pixels.
   * From 1 to 10000.
   *
   * @example width: 1280
   */
  readonly width?: number
  /**
   * Height of the viewport in CSS pixels.
   * From 1 to 10000.
   *
   * @example height: 720
   */
  readonly height?: number
  /**
   * Image pixels per CSS pixel.
   * From 0.1 to 5.
   *
   * @example deviceScaleFactor: 2
   */
  readonly deviceScaleFactor?: number
  /**
   * Behave like a mobile browser.
   *
   * @example isMobile: true
   */
  readonly isMobile?: boolean
  /**
   * Emulate a touch screen.
   *
   * @example hasTouch: true
   */
  readonly hasTouch?: boolean
  /**
   * Rotate the device to landscape.
   *
   * @example isLandscape: true
   */
  readonly isLandscape?: boolean
}

/** The options of `variant`. */
export interface VariantOptions {
  /**
   * Deliver an embedded image in this width in pixels, or in its own where that is smaller.
   *
   * @example width: 640
   */
  readonly width?: 320 | 640 | 960 | 1280 | 1920
  /**
   * Deliver an embedded image in this file type; with variant.width, by default the best that the client accepts.
   *
   * @example type: 'webp'
   */
  readonly type?: ImageType
}

/** The options of `screenshot`; `element` and `overlay` may be inside of it or next to it. */
export interface ScreenshotOptions {
  /**
   * Capture the whole scrolled page, with lazy images loaded.
   *
   * @default false
   * @example fullPage: true
   */
  readonly fullPage?: boolean
  /**
   * Capture only this rectangle of the page: x,y,width,height in CSS pixels.
   *
   * @example clip: '0,0,640,400'
   */
  readonly clip?: string
  /**
   * How much of the page to show around an element or clip, in CSS pixels.
   * From 0 to 500.
   *
   * @default 0
   * @example padding: 24
   */
  readonly padding?: number
  /**
   * File type of the screenshot.
   *
   * @default 'jpg'
   * @example type: 'webp'
   */
  readonly type?: ImageType
  /**
   * Quality of jpg, webp and avif.
   * From 1 to 100.
   *
   * @default 80
   * @example quality: 60
   */
  readonly quality?: number
  /**
   * Leave the background transparent (png, webp, avif).
   *
   * @default false
   * @example omitBackground: true
   */
  readonly omitBackground?: boolean
  /**
   * The same as the parameter `element` beside `screenshot`.
   *
   * @example element: '#main'
   */
  readonly element?: string | readonly string[]
  /**
   * The same as the parameter `overlay` beside `screenshot`.
   *
   * @example overlay: { browser: 'light' }
   */
  readonly overlay?: OverlayOptions
}
