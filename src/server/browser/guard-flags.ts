/** Nothing listens there. */
const CLOSED_PORT = '127.0.0.1:9'

/**
 * The flags that the network guard depends on: without any one of them, Chromium sends packets that bypass the proxies.
 *
 * @param proxyHost  The name or address of the pages' proxies: the only name that Chromium resolves.
 */
export const guardFlags = (proxyHost: string): string[] => [
  // Pages have proxies of their own: what the browser requests for itself fails.
  `--proxy-server=http://${CLOSED_PORT}`,
  '--proxy-bypass-list=<-loopback>',
  // Not to `~NOTFOUND`: of a name under .local, WebRTC would send a multicast query for that.
  `--host-resolver-rules=MAP * ${CLOSED_PORT} , EXCLUDE ${proxyHost}`,
  // The headless shell reads the first, full Chromium the second.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
]
