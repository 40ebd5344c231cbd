export interface GuardFlagsOptions {
  /** The proxy for requests outside of the pages' own contexts. */
  proxyUrl: string
  /** The name or address of the pages' proxies: the only name that Chromium resolves. */
  proxyHost: string
}

/** The flags that the network guard depends on: without any one of them, Chromium sends packets that bypass the proxy. */
export const guardFlags = ({ proxyUrl, proxyHost }: GuardFlagsOptions): string[] => [
  `--proxy-server=${proxyUrl}`,
  '--proxy-bypass-list=<-loopback>',
  `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${proxyHost}`,
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
]
