import type { ErrorCode, PageError } from '../query/index.js'

/** Every word that a preview says by itself. */
export interface Messages {
  retry: string
  updating: string
  /** @param age  `3d ago`, in the preview's locale. */
  saved: (age: string) => string
  /** Alternative text of a screenshot. */
  screenshot: (host: string) => string
  /** Alternative text of the page's own picture. */
  image: (host: string) => string
  /** Said once after Retry, to those who do not see it. */
  loaded: string
  failed: (reason: string) => string
  /** By error code; `EELEMENT.hidden` and `EELEMENT.empty` go before `EELEMENT`, and `EFATAL` stands for all others. */
  reasons: Readonly<Partial<Record<ErrorCode | `EELEMENT.${'hidden' | 'empty'}`, string>>>
}

const tooSlow = 'the page took too long to answer'

export const defaultMessages: Messages = {
  retry: 'Retry',
  updating: 'Updating',
  saved: (age) => `Saved ${age}`,
  screenshot: (host) => `Screenshot of ${host}`,
  image: (host) => `Picture of ${host}`,
  loaded: 'The preview is there now.',
  failed: (reason) => `No preview: ${reason}.`,
  reasons: {
    EFATAL: 'something went wrong',
    EFATALCLIENT: 'the preview service gave no answer',
    ETIMEOUTCLIENT: 'the preview service took too long to answer',
    EUNREACHABLE: 'this page could not be reached',
    ETIMEOUT: tooSlow,
    EBRWSRTIMEOUT: tooSlow,
    EINVALURL: 'this is not the address of a page',
    EFORBIDDENURL: 'this address is not public',
    EMAXREDIRECTS: 'this page redirects too often',
    ETOOLARGE: 'this page is too large',
    EELEMENT: 'this part is not on the page',
    'EELEMENT.hidden': 'this part of the page is hidden',
    'EELEMENT.empty': 'this part of the page is empty',
    EBUSY: 'too many previews are being made right now',
    ERATE: 'there were too many previews today',
    EAUTH: 'the preview service asks for a key',
  },
}

/** The given messages, and ours for the rest. */
export function withDefaults(messages: Partial<Messages> | undefined): Messages {
  return { ...defaultMessages, ...messages, reasons: { ...defaultMessages.reasons, ...messages?.reasons } }
}

/** One plain sentence why there is no preview. */
export function failureSentence({ failed, reasons }: Messages, { code, data }: PageError): string {
  const detail = `${code}.${data?.element}` as keyof Messages['reasons']
  return failed(reasons[detail] ?? reasons[code] ?? reasons.EFATAL ?? code)
}
