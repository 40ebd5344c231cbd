/** Turns addresses of the service's kept pictures into addresses of the proxy. */
export interface OwnAddresses {
  /** One address; `undefined` for one that is no kept picture of the service. */
  ofPicture(url: string): string | undefined
  /**
   * The text of a JSON answer; a whole one gets the further warnings.
   *
   * @throws  {SyntaxError} for a text that is no JSON.
   */
  inJson(text: string, warnings: readonly string[]): string
  /** The text of a card. */
  inHtml(text: string): string
}

const PICTURE_PATH = /\/images\/[^/?#]+(\?[^#]*)?$/

/** Both addresses without slash at the end. */
export function ownAddresses({ service, own }: { service: string; own: string }): OwnAddresses {
  const ofPicture = (url: string) =>
    url.startsWith(`${service}/images/`) ? own + url.slice(service.length) : undefined

  return {
    ofPicture,
    inJson(text, warnings) {
      const answer: unknown = JSON.parse(text, (name, value: unknown) => {
        if (typeof value === 'string') return ofPicture(value) ?? value
        // Always a kept picture, also of a service that has another public address than the one it is asked at.
        if (name !== 'screenshot' || !isScreenshot(value)) return value
        return { ...value, url: own + PICTURE_PATH.exec(value.url)![0] }
      })
      return JSON.stringify(warnings.length && isWhole(answer) ? withWarnings(answer, warnings) : answer)
    },
    // Without the address of the same card as oEmbed, for the proxy has none.
    inHtml: (text) =>
      text.replaceAll(`${service}/images/`, `${own}/images/`).replace(/<link rel="alternate"[^>]*>\n?/, ''),
  }
}

const isScreenshot = (value: unknown): value is { url: string } =>
  typeof value === 'object' && value !== null && 'url' in value && PICTURE_PATH.test(String(value.url))

const isWhole = (answer: unknown): answer is { status: string; warnings?: readonly string[] } =>
  typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'success'

const withWarnings = <Answer extends { warnings?: readonly string[] }>(
  answer: Answer,
  warnings: readonly string[],
) => ({
  ...answer,
  warnings: [...warnings, ...(answer.warnings ?? [])],
})
