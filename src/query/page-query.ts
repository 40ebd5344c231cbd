/**
 * The parameters of one request: what a caller writes, and what `parseQuery` returns in canonical form: durations in
 * milliseconds, defaults left out, `filter` as one comma-separated list, `screenshot` truthy whenever a screenshot is requested.
 */
export interface PageQuery {
  /**
   * The page to preview: an absolute http(s) URL.
   *
   * @example url: 'https://example.com'
   */
  readonly url: string
  /**
   * Headers sent to the target page, as headers.NAME; headers.apiKey is the key of the service and is never sent to the page.
   *
   * @example headers: { 'accept-language': 'de' }
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * Check that every URL in the result is publicly reachable; ping.FIELD=false leaves one field out.
   *
   * @default true
   * @example ping: { audio: false }
   */
  readonly ping?: boolean | Readonly<Record<string, boolean>> | undefined
  /**
   * Which metadata to read; meta.FIELD=true reads only those, false none.
   *
   * @default true
   * @example meta: { title: true, image: true }
   */
  readonly meta?: boolean | Readonly<Record<string, boolean>> | undefined
  /**
   * Add a screenshot of the page.
   *
   * @default false
   * @example screenshot: { fullPage: true }
   */
  readonly screenshot?: boolean | ScreenshotOptions | undefined
  /**
   * Capture only the element that matches this CSS selector; with several selectors, the box around their elements.
   *
   * @example element: '#main'
   */
  readonly element?: string | readonly string[] | undefined
  /**
   * Add the last versions of the page that differ visibly, and what changed in each; only on the pro host.
   * From 1 to 20.
   *
   * @example history: 5
   */
  readonly history?: number | undefined
  /**
   * What is drawn around and behind the screenshot.
   *
   * @example overlay: { browser: 'dark', background: '#15181c' }
   */
  readonly overlay?: OverlayOptions | undefined
  /**
   * Name of the emulated device, case-insensitive: "iPhone 6", "iPad Pro landscape".
   *
   * @default 'Macbook Pro 13'
   * @example device: 'iPhone 15'
   */
  readonly device?: Device | undefined
  /**
   * The screen that the page is shown on; wins over the screen of `device`.
   *
   * @example viewport: { width: 390, height: 844, isMobile: true }
   */
  readonly viewport?: ViewportOptions | undefined
  /**
   * Preferred colour scheme reported to the page.
   *
   * @example colorScheme: 'dark'
   */
  readonly colorScheme?: 'light' | 'dark' | 'no-preference' | undefined
  /**
   * CSS media type of the page.
   *
   * @example mediaType: 'print'
   */
  readonly mediaType?: 'screen' | 'print' | undefined
  /**
   * Language of the visitor, as a BCP 47 tag: Accept-Language, navigator.language and Intl.
   *
   * @example locale: 'de-AT'
   */
  readonly locale?: string | undefined
  /**
   * Time zone of the visitor, as an IANA name.
   *
   * @example timezone: 'Europe/Vienna'
   */
  readonly timezone?: string | undefined
  /**
   * Position of the visitor, latitude,longitude, which the page may read.
   *
   * @example geolocation: '48.2,16.37'
   */
  readonly geolocation?: string | undefined
  /**
   * Let CSS animations run; by default they are frozen.
   *
   * @default false
   * @example animations: true
   */
  readonly animations?: boolean | undefined
  /**
   * Run the scripts of the page.
   *
   * @default true
   * @example javascript: false
   */
  readonly javascript?: boolean | undefined
  /**
   * Block ads and trackers, and hide cookie banners and other overlays.
   *
   * @default true
   * @example adblock: false
   */
  readonly adblock?: boolean | undefined
  /**
   * When the page counts as loaded.
   *
   * @default 'auto'
   * @example waitUntil: 'networkidle'
   */
  readonly waitUntil?: 'auto' | 'load' | 'domcontentloaded' | 'networkidle' | undefined
  /**
   * Wait until an element matches this CSS selector.
   *
   * @example waitForSelector: '.chart'
   */
  readonly waitForSelector?: string | undefined
  /**
   * Wait this long before the capture.
   * Milliseconds, or text with a unit: between 0 and 28s.
   *
   * @example waitForTimeout: '2s'
   */
  readonly waitForTimeout?: Duration | undefined
  /**
   * Click the elements that match these CSS selectors, in order.
   *
   * @example click: '.accept'
   */
  readonly click?: string | readonly string[] | undefined
  /**
   * Scroll to the element that matches this CSS selector.
   *
   * @example scroll: '#pricing'
   */
  readonly scroll?: string | undefined
  /**
   * CSS to inject into the page: CSS text or URLs.
   *
   * @example styles: 'nav { display: none }'
   */
  readonly styles?: string | readonly string[] | undefined
  /**
   * Add the most frequent colours to each image.
   *
   * @default false
   * @example palette: true
   */
  readonly palette?: boolean | undefined
  /**
   * Add the main content of the page as Markdown: what a visitor sees of it.
   *
   * @default false
   * @example markdown: true
   */
  readonly markdown?: boolean | undefined
  /**
   * Add the main content of the page as plain text: what a visitor sees of it.
   *
   * @default false
   * @example text: true
   */
  readonly text?: boolean | undefined
  /**
   * Which title the result has, if the page states several.
   *
   * @example title: { pick: '8f3a01c7' }
   */
  readonly title?: TitleOptions | undefined
  /**
   * Which image the result has, if the page states several.
   *
   * @example image: { pick: '5be20d94' }
   */
  readonly image?: ImageOptions | undefined
  /**
   * List the titles, descriptions and images that the page states, the best first.
   *
   * @default false
   * @example candidates: true
   */
  readonly candidates?: boolean | undefined
  /**
   * Add how the result came about: requests, sources, checks, and what was hidden.
   *
   * @default false
   * @example explain: true
   */
  readonly explain?: boolean | undefined
  /**
   * Respond with one field itself instead of JSON: a dotted path into data, or html.
   *
   * @default false
   * @example embed: 'screenshot.url'
   */
  readonly embed?: boolean | 'html' | (string & {}) | undefined
  /**
   * The size and the file type in which an embedded image is delivered.
   *
   * @example variant: { width: 640, type: 'webp' }
   */
  readonly variant?: VariantOptions | undefined
  /**
   * Keep only these fields of data: a comma-separated list of dotted paths.
   *
   * @example filter: ['title', 'screenshot.url']
   */
  readonly filter?: string | readonly string[] | undefined
  /**
   * Time limit for the whole request.
   * Milliseconds, or text with a unit: between 0 and 28s.
   *
   * @default '28s'
   * @example timeout: '12s'
   */
  readonly timeout?: Duration | undefined
  /**
   * How long a result is cached; 31d when an image is embedded.
   * Milliseconds, or text with a unit: between 1m and 31d.
   *
   * @default '1d'
   * @example ttl: '12h'
   */
  readonly ttl?: Duration | undefined
  /**
   * Age from which a cached result is stale: served at once and revalidated in the background; 24h when an image is embedded.
   * Milliseconds, or text with a unit: between 0 and 31d.
   *
   * @default false
   * @example staleTtl: '1h'
   */
  readonly staleTtl?: false | Duration | undefined
  /**
   * Bypass the cache and refresh it.
   *
   * @default false
   * @example force: true
   */
  readonly force?: boolean | undefined
  /**
   * When a signed request expires: seconds since 1970.
   *
   * @example expires: 1798761600
   */
  readonly expires?: number | undefined
  /**
   * Id of the key that signed the request.
   *
   * @example keyId: 'k7f3a1'
   */
  readonly keyId?: string | undefined
  /**
   * HMAC-SHA-256 over the canonical query, base64url.
   *
   * @example signature: 'Zm9v…'
   */
  readonly signature?: string | undefined
  /**
   * With `ping: false`, checks only the fields that are set to `true`: `{ ping: false, 'ping.audio': true }`. A nested object
   * cannot express that.
   */
  readonly [ping: `ping.${string}`]: boolean | undefined
}

/** Units in which durations are written. */
type Unit = 'ms' | `${'s' | 'sec' | 'second' | 'm' | 'min' | 'minute' | 'h' | 'hr' | 'hour' | 'd' | 'day'}${'' | 's'}`

/** Milliseconds, or text with a unit: `90_000`, `'90s'`, `'1.5 minutes'`. */
export type Duration = number | `${number}` | `${number}${'' | ' '}${Unit}`

/** File types of screenshots and of variants. */
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
  readonly browser?: 'light' | 'dark' | undefined
  /**
   * Fill behind the screenshot: a colour, a CSS gradient or an image URL.
   *
   * @example background: 'linear-gradient(to right, teal, navy)'
   */
  readonly background?: string | undefined
}

/** The options of `viewport`, which win over `device`. */
export interface ViewportOptions {
  /**
   * Width of the viewport in CSS pixels.
   * From 1 to 10000.
   *
   * @example width: 1280
   */
  readonly width?: number | undefined
  /**
   * Height of the viewport in CSS pixels.
   * From 1 to 10000.
   *
   * @example height: 720
   */
  readonly height?: number | undefined
  /**
   * Image pixels per CSS pixel.
   * From 0.1 to 5.
   *
   * @example deviceScaleFactor: 2
   */
  readonly deviceScaleFactor?: number | undefined
  /**
   * Behave like a mobile browser.
   *
   * @example isMobile: true
   */
  readonly isMobile?: boolean | undefined
  /**
   * Emulate a touch screen.
   *
   * @example hasTouch: true
   */
  readonly hasTouch?: boolean | undefined
  /**
   * Rotate the device to landscape.
   *
   * @example isLandscape: true
   */
  readonly isLandscape?: boolean | undefined
}

/** The options of `title`. */
export interface TitleOptions {
  /**
   * Use the title with this id, as candidates lists it; if it is gone, the best one with a warning.
   *
   * @example pick: '8f3a01c7'
   */
  readonly pick?: string | undefined
}

/** The options of `image`. */
export interface ImageOptions {
  /**
   * Use the image with this id, as candidates lists it; if it is gone, the best one with a warning.
   *
   * @example pick: '5be20d94'
   */
  readonly pick?: string | undefined
}

/** The options of `variant`. */
export interface VariantOptions {
  /**
   * Deliver an embedded image in this width in pixels, or in its own width if that is smaller.
   *
   * @example width: 640
   */
  readonly width?: 320 | 640 | 960 | 1280 | 1920 | undefined
  /**
   * Deliver an embedded image with at most this many pixels on its longer side.
   * From 16 to 65500.
   *
   * @example maxSide: 1568
   */
  readonly maxSide?: number | undefined
  /**
   * Deliver an embedded image as a file of at most this many bytes: with lower quality, and if need be smaller.
   * From 2000 to 25000000.
   *
   * @example maxBytes: 1_000_000
   */
  readonly maxBytes?: number | undefined
  /**
   * Deliver an embedded image in this file type; with another option of variant, by default the best that the client accepts.
   *
   * @example type: 'webp'
   */
  readonly type?: ImageType | undefined
  /**
   * List the tiles of a screenshot that is longer than variant.maxSide (1568 by default), with their places on the page.
   *
   * @default false
   * @example tiles: true
   */
  readonly tiles?: boolean | undefined
}

/** The options of `screenshot`; `element` and `overlay` may be inside it or next to it. */
export interface ScreenshotOptions {
  /**
   * Capture the whole scrolled page, with lazy images loaded.
   *
   * @default false
   * @example fullPage: true
   */
  readonly fullPage?: boolean | undefined
  /**
   * Capture only this rectangle of the page: x,y,width,height in CSS pixels.
   *
   * @example clip: '0,0,640,400'
   */
  readonly clip?: string | undefined
  /**
   * How much of the page to show around an element or clip, in CSS pixels.
   * From 0 to 500.
   *
   * @default 0
   * @example padding: 24
   */
  readonly padding?: number | undefined
  /**
   * File type of the screenshot.
   *
   * @default 'jpg'
   * @example type: 'webp'
   */
  readonly type?: ImageType | undefined
  /**
   * Quality of jpg, webp and avif.
   * From 1 to 100.
   *
   * @default 80
   * @example quality: 60
   */
  readonly quality?: number | undefined
  /**
   * Leave the background transparent (png, webp, avif).
   *
   * @default false
   * @example omitBackground: true
   */
  readonly omitBackground?: boolean | undefined
  /**
   * The same as the parameter `element` beside `screenshot`.
   *
   * @example element: '#main'
   */
  readonly element?: string | readonly string[] | undefined
  /**
   * The same as the parameter `overlay` beside `screenshot`.
   *
   * @example overlay: { browser: 'light' }
   */
  readonly overlay?: OverlayOptions | undefined
  /**
   * The same as the parameter `history` beside `screenshot`.
   *
   * @example history: 5
   */
  readonly history?: number | undefined
}
