import { hostnameOf } from '../hostnames/index.js'
import { digest } from './digest.js'
import type { ImageName } from './image-name.js'

/**
 * What a cache entry shows: a page, as its host, a space and a digest of its URL, which may be long; or the image that it was
 * made from, as a space and its name.
 */
export type Subject = `${string} ${string}`

/** @param url  Absolute. Its hash is ignored, for it is the same page. */
export function subjectOfUrl(url: string | URL): Subject {
  const page = new URL(url)
  page.hash = ''
  return `${hostnameOf(page)} ${digest(page.href)}`
}

/** The subject of the variants of an image. */
export const subjectOfImage = (image: ImageName): Subject => ` ${image}`

/** The host of a page without its port; empty for an image. */
export const hostOfSubject = (subject: string): string => subject.slice(0, subject.indexOf(' '))
