export interface GuardFlagsOptions {
  /** What carries requests outside of the pages' own contexts. */
  proxyUrl: string
  /** The name or address of the pages' proxies: the only name that Chromium resolves. */
  proxyHost: string
}

/** The flags that the network guard depends on: without one of them Chromium sends packets that pass by the proxy. */
export const guardFlags = ({ proxyUrl, proxyHost }: GuardFlagsOptions): string[] => [
  `--proxy-server=${proxyUrl}`,
  '--proxy-bypass-list=<-loopback>',
  `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${proxyHost}`,
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
]
