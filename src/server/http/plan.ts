/** Which host a request belongs to; the value of `x-pricing-plan`. */
export type Plan = 'free' | 'pro'

export interface HostOptions {
  /** `Host` header of the pro host, with or without a port. */
  proHost?: string | undefined
  /** Public URL of the pro host. */
  proPublicUrl?: string | undefined
}

/** Decides by the `Host` of an absolute URL; without options every request is free. */
export function planOf(url: string, { proHost, proPublicUrl }: HostOptions): Plan {
  if (!proHost && !proPublicUrl) return 'free'
  const { host, hostname } = new URL(url)
  const proName = proHost?.toLowerCase()
  // The scheme is ignored, because TLS may be terminated by a reverse proxy.
  const isPro = host === proName || hostname === proName || (proPublicUrl && host === new URL(proPublicUrl).host)
  return isPro ? 'pro' : 'free'
}
