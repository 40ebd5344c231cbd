import type { ParsedQuery } from '../../query/index.js'
import type { CodeToken } from './code-token.js'
import { flatParameters } from './flat-parameters.js'
import type { SnippetInput } from './snippet-input.js'

/** The request as a `curl` command. */
export function curlSnippet({ query, endpoint, hasKey }: SnippetInput): CodeToken[] {
  const parameters = flatParameters(query).map(([name, value]): Argument => {
    const isPlain = PLAIN.test(value) && PLAIN.test(name)
    if (isPlain) return { flag: '-d ', value: value === 'true' ? name : `${name}=${value}` }
    return { flag: '--data-urlencode ', value: `${encodeURIComponent(name)}=${value}`, quotes: "'" }
  })
  return command(`curl -G ${hasKey ? endpoint.pro : endpoint.free}/`, [
    ...(hasKey ? [apiKeyArgument('-H ', 'x-api-key: ')] : []),
    ...parameters,
    ...outputArgument(query),
  ])
}

/** The request as a command of this package; the endpoint is left out if it is the default. */
export function cliSnippet({ query, endpoint, hasKey }: SnippetInput): CodeToken[] {
  const parameters = flatParameters(query)
    .filter(([name]) => name !== 'url')
    .map(([name, value]): Argument => {
      if (!PLAIN.test(name)) return { flag: '', value: `--${name}=${value}` }
      return value === 'true' ? { flag: `--${name}`, value: '' } : { flag: `--${name}=`, value }
    })
  const [endpointFlag, defaultHost, host] = hasKey
    ? ['--pro-endpoint ', 'http://127.0.0.1:3001', endpoint.pro]
    : ['--endpoint ', 'http://127.0.0.1:3000', endpoint.free]
  const commandArguments = [
    ...parameters,
    ...(host === defaultHost ? [] : [{ flag: endpointFlag, value: host }]),
    ...(hasKey ? [apiKeyArgument('--api-key ', '')] : []),
    ...outputArgument(query),
  ]
  return command('npx page-preview ', commandArguments, query.query.url)
}

interface Argument {
  flag: string
  value: string
  /** Within double quotes the shell expands variables. Default: single quotes, if they are needed. */
  quotes?: "'" | '"'
}

/** Needs neither quotes nor URL encoding. */
const PLAIN = /^[\w.:-]+$/
/** Needs no quotes. */
const UNQUOTED = /^[\w.:/=-]*$/

const apiKeyArgument = (flag: string, prefix: string): Argument => ({
  flag,
  value: `${prefix}$PAGE_PREVIEW_API_KEY`,
  quotes: '"',
})

/** An image of the page has the type that it was published in. */
function outputArgument(parsed: ParsedQuery): Argument[] {
  const [, field] = /^(true|screenshot|image|logo)(\.url)?$/.exec(String(parsed.query.embed)) ?? []
  if (!field) return []
  const parameters = new Map(flatParameters(parsed))
  const isOfPage = ['image', 'logo'].includes(field)
  const type = parameters.get('variant.type') ?? (isOfPage ? undefined : (parameters.get('screenshot.type') ?? 'jpg'))
  return [{ flag: '-o ', value: type ? `image.${type}` : 'image' }]
}

/** Short arguments share a line; every other argument gets its own. */
function command(start: string, commandArguments: readonly Argument[], subject?: string): CodeToken[] {
  const tokens: CodeToken[] = [start, ...(subject === undefined ? [] : shellWord(subject))]
  let previous: Argument | undefined
  for (const argument of commandArguments) {
    const sharesLine = previous && isShort(previous) && isShort(argument)
    tokens.push(sharesLine ? ' ' : ' \\\n  ', argument.flag, ...shellWord(argument.value, argument.quotes))
    previous = argument
  }
  return tokens
}

const isShort = ({ value, quotes }: Argument) => !quotes && UNQUOTED.test(value) && value.length < 40

function shellWord(value: string, quotes?: Argument['quotes']): CodeToken[] {
  if (quotes === '"') return [['string', `"${value}"`]]
  return [!quotes && UNQUOTED.test(value) ? value : ['string', `'${value.replaceAll("'", "'\\''")}'`]]
}
