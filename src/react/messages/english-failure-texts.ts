import type { Messages } from './messages.js'

const tooSlow = 'the page took too long to respond'

/** Why there is no preview, in English. */
const reasons: Messages['reasons'] = {
  EFATAL: 'something went wrong',
  EFATALCLIENT: 'the preview service did not respond',
  ETIMEOUTCLIENT: 'the preview service took too long to respond',
  EUNREACHABLE: 'this page could not be reached',
  ETIMEOUT: tooSlow,
  EBRWSRTIMEOUT: tooSlow,
  EINVALURL: 'this is not the address of a page',
  EFORBIDDENURL: 'this address is not public',
  EREMOVED: 'its owner has removed this preview',
  EMAXREDIRECTS: 'this page redirects too many times',
  ETOOLARGE: 'this page is too large',
  EELEMENT: 'this part is not on the page',
  'EELEMENT.hidden': 'this part of the page is hidden',
  'EELEMENT.empty': 'this part of the page is empty',
  EBUSY: 'too many previews are being created',
  ERATE: 'too many previews were requested',
  EAUTH: 'the preview service needs a key',
}

/** The English texts that only previews need whose page could not be fetched. */
export const englishFailureTexts = {
  retry: 'Retry',
  saved: (age) => `Saved ${age}`,
  loaded: 'The preview has loaded.',
  failed: (reason) => `No preview: ${reason}.`,
  reasons,
} as const satisfies Partial<Messages>
