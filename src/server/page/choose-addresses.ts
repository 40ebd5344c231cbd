import type { Candidates } from './find-candidates.js'
import { createPinger, type Pinger } from './create-pinger.js'
import type { MediaKind } from './media-type.js'
import type { PingedUrl, PingOptions } from './ping-url.js'
import { withDeadline } from './with-deadline.js'

export type AddressField = 'url' | 'image' | 'logo' | 'audio' | 'video'

export interface ChosenAddress {
  url: string
  /** `undefined` when it was not asked for. */
  pinged?: PingedUrl
}

export interface ChooseOptions extends PingOptions {
  /** Where the page was: it has just answered and is not asked again. */
  pageUrl: string
}

const ALL_PINGS_TIMEOUT_MS = 4_000

/** What each field takes: the sound of a video may be listened to, a picture is a picture. */
const accepted: Readonly<Record<Exclude<AddressField, 'url'>, readonly MediaKind[]>> = {
  image: ['image'],
  logo: ['image'],
  audio: ['audio', 'video'],
  video: ['video'],
}

/**
 * Takes for each field its first publicly reachable candidate: at most 20 addresses, 6 at once, 4 seconds altogether.
 *
 * @returns  The addresses by field, without the fields that have none; and what could not be found out.
 * @throws   The reason of an aborted `signal`.
 */
export async function chooseAddresses(
  candidates: Candidates,
  fields: readonly AddressField[],
  { signal, pageUrl, ...options }: ChooseOptions,
): Promise<{ chosen: Map<AddressField, ChosenAddress>; warnings: string[] }> {
  const chosen = new Map<AddressField, ChosenAddress>()
  const chooseAll = async (signal: AbortSignal) => {
    const pinger = createPinger({ ...options, signal })
    const choose = async (field: AddressField) => {
      const address = await firstReachable(field, candidates[field], { pinger, pageUrl })
      if (address) chosen.set(field, address)
    }
    await Promise.all(fields.map(choose))
    return pinger.isShort()
  }
  const isShort = await withDeadline(chooseAll, { signal, ms: ALL_PINGS_TIMEOUT_MS, late: tooLate })
  signal.throwIfAborted()
  return {
    chosen,
    warnings: isShort ? ['Not every address of the page could be checked; what was not is left out.'] : [],
  }
}

const tooLate = () => new Error('not checked in time')

async function firstReachable(
  field: AddressField,
  urls: readonly string[],
  { pinger, pageUrl }: { pinger: Pinger; pageUrl: string },
): Promise<ChosenAddress | undefined> {
  for (const url of urls) {
    if (field === 'url' && url === pageUrl) return { url }
    const pinged = await pinger.ping(url, field === 'url' ? 'page' : field === 'logo' ? 'image' : field)
    if (pinged && (field === 'url' || (pinged.kind && accepted[field].includes(pinged.kind)))) return { url, pinged }
  }
  return undefined
}
