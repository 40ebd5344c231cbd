import { domainToUnicode } from 'node:url'

/** The host of a URL as a browser displays it: in Unicode and without `www.`; the port only where it is not the default. */
export function displayHost(url: string): string {
  const { hostname, port } = new URL(url)
  const name = (domainToUnicode(hostname) || hostname).replace(/^www\./, '')
  return port ? `${name}:${port}` : name
}
