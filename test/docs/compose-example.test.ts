// Covers the compose file with a Chromium in another container: the service accepts its own half, and the browser's flags.
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findFlagMistakes, recommendedFlags } from '../../src/server/browser/chromium-flags.js'
import { readServeOptions } from '../../src/server/index.js'
import { readDocs } from './read-docs.js'
import { commandsOf } from './shell-commands.js'

interface ComposeService {
  environment?: Record<string, string>
  command?: string[]
  networks?: string[]
  ports?: string[]
}

const { code } = readDocs()
  .flatMap(({ blocks }) => blocks)
  .find(({ language, code }) => language === 'yaml' && code.includes('--remote-debugging-port'))!
const compose = parse(code) as { services: Record<string, ComposeService>; networks: Record<string, object> }
const { 'page-preview': service, chromium } = compose.services as Record<'page-preview' | 'chromium', ComposeService>

describe('the compose file with a Chromium in another container', () => {
  it('has variables with which the service starts', () => {
    const { browser, proxyHost, proxyPublicHost } = readServeOptions([], service.environment!)
    expect({ browser, proxyHost, proxyPublicHost }).toEqual({
      browser: ['http://chromium:9222'],
      proxyHost: '0.0.0.0',
      proxyPublicHost: 'page-preview',
    })
  })

  it('lets them reach each other, and the browser nothing else', () => {
    expect(chromium.networks).toEqual(['browser'])
    expect(service.networks).toContain('browser')
    expect(compose.networks.browser).toEqual({ internal: true })
    expect(chromium.ports).toBeUndefined()
  })

  it('starts the browser with exactly the flags that the service recommends and accepts', () => {
    // Compose replaces `$$` by `$`, and the shell a backslash with the line break behind it by nothing.
    const script = chromium.command!.at(-1)!.replaceAll('$$', '$').replaceAll('\\\n', ' ')
    const command = commandsOf(script).find(([word]) => word === 'exec')!
    const flags = command.slice(2)
    const { proxyPublicHost: proxyHost } = readServeOptions([], service.environment!)
    expect(flags.toSorted()).toEqual(recommendedFlags(proxyHost!).toSorted())
    expect(findFlagMistakes(command.slice(1), { proxyPublicHost: proxyHost! })).toEqual([])
  })
})
