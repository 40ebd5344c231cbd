/** A way of writing an address in a URL. */
export type AddressForm = readonly [description: string, host: string]

/** Ways of writing one IPv4 address, most of which a browser or a library has taken for it. */
export function formsOfV4(address: string): AddressForm[] {
  const bytes = address.split('.').map(Number)
  const [a, b, c, d] = bytes as [number, number, number, number]
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
  const [high, low] = [hex(whole >>> 16, 4), hex(whole & 0xffff, 4)]
  const inverted = [hex(~(whole >>> 16) & 0xffff, 4), hex(~whole & 0xffff, 4)].join(':')
  const digitsFrom = (first: number) => address.replace(/\d/g, (digit) => String.fromCodePoint(first + Number(digit)))
  return [
    ['dotted', address],
    ['with a trailing dot', `${address}.`],
    ['decimal', String(whole)],
    ['hexadecimal', `0x${hex(whole, 8)}`],
    ['hexadecimal in upper case', `0X${hex(whole, 8).toUpperCase()}`],
    ['octal', `0${whole.toString(8)}`],
    ['dotted octal', bytes.map((byte) => `0${byte.toString(8)}`).join('.')],
    ['dotted octal with zeros', bytes.map((byte) => `00000${byte.toString(8)}`).join('.')],
    ['dotted hexadecimal', bytes.map((byte) => `0x${byte.toString(16)}`).join('.')],
    ['mixed bases', `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`],
    ['two parts', `${a}.${whole & 0xffffff}`],
    ['three parts', `${a}.${b}.${whole & 0xffff}`],
    ['percent-encoded', address.replace(/[\d.]/g, (char) => `%${hex(char.charCodeAt(0), 2)}`)],
    ['fullwidth digits', digitsFrom(0xff10)],
    ['mathematical digits', digitsFrom(0x1d7ce)],
    ['superscript digits', address.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]!)],
    ['ideographic full stops', address.replaceAll('.', '。')],
    ['a soft hyphen', address.replace('.', '.\u00ad')],
    ['IPv4-mapped', `[::ffff:${address}]`],
    ['IPv4-mapped, hexadecimal', `[::ffff:${high}:${low}]`],
    ['IPv4-mapped, written out', `[0000:0000:0000:0000:0000:FFFF:${high}:${low}]`],
    ['IPv4-compatible', `[::${address}]`],
    ['IPv4-translated', `[::ffff:0:${address}]`],
    ['NAT64', `[64:ff9b::${address}]`],
    ['local NAT64', `[64:ff9b:1::${address}]`],
    ['6to4', `[2002:${high}:${low}::1]`],
    ['Teredo', `[2001:0:808:808:0:0:${inverted}]`],
    ['ISATAP', `[2606:4700::5efe:${high}:${low}]`],
    ['with a zone', `[::ffff:${address}%25lo]`],
  ]
}

/** Other hosts that lead to this machine or its network. */
export const OTHER_FORMS: readonly AddressForm[] = [
  ['IPv6 loopback', '[::1]'],
  ['IPv6 loopback, written out', '[0:0:0:0:0:0:0:1]'],
  ['IPv6 loopback, zeros', '[0000::0001]'],
  ['IPv6 loopback with a zone', '[::1%25lo]'],
  ['IPv6 loopback with a raw zone', '[::1%lo]'],
  ['IPv6 loopback, percent-encoded brackets', '%5B::1%5D'],
  ['IPv6 unspecified', '[::]'],
  ['IPv6 unique local', '[fd00::1]'],
  ['IPv6 link-local', '[fe80::1]'],
  ['IPv6 link-local with a zone', '[fe80::1%25lo]'],
  ['IPv6 site-local', '[fec0::1]'],
  ['IPv6 multicast', '[ff02::1]'],
  ['a name', 'localhost'],
  ['a name in upper case', 'LOCALHOST'],
  ['a name with a trailing dot', 'localhost.'],
  ['a name with fullwidth letters', 'ｌｏｃａｌｈｏｓｔ'],
  ['a name, percent-encoded', '%6c%6f%63alhost'],
  ['a name below localhost', 'any.localhost'],
  ['Azure', '168.63.129.16'],
  ['a multicast address', '224.0.0.1'],
  ['the broadcast address', '255.255.255.255'],
  ['one zero', '0'],
  ['an empty part', '127..1'],
  ['five parts', '127.0.0.0.1'],
  ['too large a number', '4294967297'],
  ['too large a part', '383.0.0.1'],
]

/** URLs whose host is another than it seems, each with `HOST:PORT` of a private server. */
export const URL_FORMS: readonly (readonly [description: string, url: (host: string) => string])[] = [
  ['another host as user name', (host) => `http://public.test@${host}/`],
  ['another host and port as user info', (host) => `http://public.test:80@${host}/`],
  ['an empty user name', (host) => `http://@${host}/`],
  ['two at signs', (host) => `http://a@public.test@${host}/`],
  ['an encoded at sign', (host) => `http://public.test%40${host}/`],
  ['a backslash before the user info', (host) => `http://${host}\\@public.test/`],
  ['a fragment before another host', (host) => `http://${host}#@public.test/`],
  ['a query before another host', (host) => `http://${host}?@public.test/`],
  ['an encoded slash', (host) => `http://${host}%2f.public.test/`],
  ['no slashes', (host) => `http:${host}/`],
  ['one slash', (host) => `http:/${host}/`],
  ['four slashes', (host) => `http:////${host}/`],
  ['backslashes', (host) => `http:\\\\${host}\\`],
  ['a scheme in upper case', (host) => `HTTP://${host}/`],
  ['white space around', (host) => ` \t\nhttp://${host}/\n `],
  ['a tab inside', (host) => `ht\ttp://${host.slice(0, 3)}\t${host.slice(3)}/`],
  ['a line break inside', (host) => `http://${host.slice(0, 3)}\r\n${host.slice(3)}/`],
  ['zeros before the port', (host) => `http://${host.replace(/:(\d+)$/, ':000$1')}/`],
  ['https', (host) => `https://${host}/`],
  ['no scheme', (host) => `//${host}/`],
  ['a relative URL', (host) => `${host}/`],
  ['ftp', (host) => `ftp://${host}/`],
  ['ws', (host) => `ws://${host}/`],
  ['gopher', (host) => `gopher://${host}/_GET%20/`],
  ['blob', (host) => `blob:http://${host}/1`],
  ['view-source', (host) => `view-source:http://${host}/`],
  ['filesystem', (host) => `filesystem:http://${host}/temporary/`],
  ['feed', (host) => `feed:http://${host}/`],
  ['jar', (host) => `jar:http://${host}!/`],
  ['data', (host) => `data:text/html,<iframe src=http://${host}/>`],
  ['javascript', (host) => `javascript:location='http://${host}/'`],
  ['file', () => 'file:///etc/passwd'],
  ['file with a host', () => 'file://localhost/etc/passwd'],
  ['chrome', () => 'chrome://version/'],
  ['devtools', () => 'devtools://devtools/bundled/inspector.html'],
  ['about', () => 'about:blank'],
]
