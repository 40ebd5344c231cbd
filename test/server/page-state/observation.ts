import type { ObservedDocument, PageObservation } from '../../../src/server/page-state/index.js'

export interface ObservationOptions extends Partial<Omit<PageObservation, 'document'>> {
  document?: Partial<ObservedDocument>
}

/** What the browser would know about an ordinary article, but for the given parts. */
export function observation({ document = {}, ...page }: ObservationOptions = {}): PageObservation {
  const { text = 'The harbour was quiet. '.repeat(100) } = document
  return {
    requestedUrl: 'https://harbour.test/story',
    url: 'https://harbour.test/story',
    statusCode: 200,
    headers: {},
    isWhole: true,
    hidesBanners: true,
    pixels: { entropy: 2.1, dominant: '#ffffff' },
    ...page,
    document: {
      isRendered: true,
      contentType: 'text/html',
      title: 'The harbour',
      headings: [],
      text,
      textChars: text.length,
      html: '',
      optOut: '',
      hasOwnMetadata: false,
      hasActiveContent: true,
      hasContent: true,
      media: { count: 0, share: 0, frontShare: 0 },
      fields: { password: 0, text: 0, captcha: 0 },
      labels: [],
      isLoading: false,
      cover: null,
      ...document,
    },
  }
}
