const MAX_CHARS = 255

/**
 * The host of the page that a request of the service names in its parameter `url`, at most 255 characters; `undefined` where
 * there is none. An oEmbed request may name a preview, which names the page.
 */
export function targetHostOf(requestUrl: string): string | undefined {
  const target = parameterUrl(requestUrl)
  if (!target) return undefined
  const isPreview = target.origin === new URL(requestUrl).origin
  return ((isPreview && parameterUrl(target.href)) || target).host.slice(0, MAX_CHARS)
}

function parameterUrl(text: string): URL | undefined {
  const value = URL.canParse(text) ? new URL(text).searchParams.get('url') : undefined
  return value && URL.canParse(value) ? new URL(value) : undefined
}
