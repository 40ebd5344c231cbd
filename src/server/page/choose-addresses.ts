import type { PageQuery } from '../../query/index.js'
import { createPinger, type Pinger } from './create-pinger.js'
import { discoverFacts } from './discover-facts.js'
import { findCandidates, type Candidates } from './find-candidates.js'
import type { MediaKind } from './media-type.js'
import type { PageFacts } from './page-facts.js'
import type { PingedUrl, PingOptions } from './ping-url.js'
import { isPinged, isWanted } from './wanted-fields.js'
import { withDeadline } from './with-deadline.js'

/** All that is not a text. */
export const addressFields = ['url', 'image', 'logo', 'audio', 'video'] as const
export type AddressField = (typeof addressFields)[number]

export interface ChosenAddress {
  url: string
  /** `undefined` when it was not asked for. */
  pinged?: PingedUrl
  /** Only when asked for, and readable. */
  palette?: string[] | undefined
}

export interface ChosenAddresses {
  /** By field, without the fields that have none. */
  chosen: Map<AddressField, ChosenAddress>
  /** As given, and what the page's own documents added. */
  candidates: Candidates
  /** What could not be found out. */
  warnings: string[]
}

const ALL_PINGS_TIMEOUT_MS = 4_000

const PALETTE_FIELDS: ReadonlySet<AddressField> = new Set(['image', 'logo'])

/** What each field takes: the sound of a video may be listened to, a picture is a picture. */
const accepted: Readonly<Record<Exclude<AddressField, 'url'>, readonly MediaKind[]>> = {
  image: ['image'],
  logo: ['image'],
  audio: ['audio', 'video'],
  video: ['video'],
}

/**
 * Takes for each field that is wanted its first publicly reachable candidate, or simply its first one where that is not to be
 * checked: at most 20 addresses are asked for, 6 at once, 4 seconds altogether, the page's own documents about itself included.
 *
 * @throws  The reason of an aborted `signal`.
 */
export async function chooseAddresses(
  facts: PageFacts,
  known: Candidates,
  { query, signal, ...options }: PingOptions & { query: PageQuery },
): Promise<ChosenAddresses> {
  const chosen = new Map<AddressField, ChosenAddress>()
  let candidates = known
  const chooseAll = async (signal: AbortSignal) => {
    const pinger = createPinger({ ...options, signal })
    const more = await discoverFacts(facts, known, { query, pinger })
    if (more !== facts) candidates = findCandidates(more)
    const choose = async (field: AddressField) => {
      const [first] = candidates[field]
      const address = isPinged(query, field)
        ? await firstReachable(field, candidates[field], { pinger, pageUrl: facts.url })
        : first && { url: first }
      if (!address) return
      chosen.set(field, address)
      if (query.palette && PALETTE_FIELDS.has(field) && address.pinged)
        chosen.set(field, { ...address, palette: await pinger.palette(address.url, address.pinged) })
    }
    await Promise.all(addressFields.filter((field) => isWanted(query, field)).map(choose))
    return pinger.isShort()
  }
  const isShort = await withDeadline(chooseAll, { signal, ms: ALL_PINGS_TIMEOUT_MS, late: tooLate })
  signal.throwIfAborted()
  return {
    chosen,
    candidates,
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
