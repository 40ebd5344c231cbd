import { expect, it } from 'vitest'
import { MEDIA_FIELDS } from '../../src/proxy/url-rewriter.js'
import { MEDIA_FIELDS as servedFields } from '../../src/server/media/index.js'

it('rewrites the URLs of the media files that the service serves', () => {
  expect(MEDIA_FIELDS).toEqual(servedFields)
})
