/** `[vc_row]`, `[/vc_row]`, `[caption id="a"]`, `[sitetree_link,id=1]`, `[quote=Bob]`. */
const SHORTCODE = /\[(\/?)([a-z][\w-]{0,60})([\s,=][^[\]]{0,500})?\]/gi
const MAX_SHORTCODES = 500
const QUOTED_ATTRIBUTE = /[\s,][\w-]{1,40}=["'“”″]/
/** A text with one of these words may name shortcodes. */
const ABOUT_SHORTCODES = /\b(?:short ?codes?|bbcodes?|markup)\b/i

/**
 * A text without the instructions that a publishing system has not replaced: those with an end, those with attributes, and those
 * that touch the text; not `[sic]`, and not `prog [input_file] [output_file]`.
 */
export function withoutShortcodes(text: string): string {
  if (!text.includes('[') || ABOUT_SHORTCODES.test(text)) return text
  const codes = Array.from(text.matchAll(SHORTCODE)).slice(0, MAX_SHORTCODES)
  const ended = new Set(codes.filter(([, slash]) => slash).map(([, , name = '']) => name.toLowerCase()))
  let plain = ''
  let at = 0
  for (const { 0: code, 2: name = '', 3: attributes = '', index } of codes) {
    const end = index + code.length
    const isGlued = text.charAt(index - 1) === ']' || /^[[\p{L}\p{N}]/u.test(text.slice(end, end + 2))
    const isOfSystem = name.includes('_')
    if (!ended.has(name.toLowerCase()) && !QUOTED_ATTRIBUTE.test(attributes) && !(isOfSystem && isGlued)) continue
    // Others are within a sentence, such as `[b]`.
    plain += text.slice(at, index) + (isOfSystem || attributes ? ' ' : '')
    at = end
  }
  return at ? (plain + text.slice(at)).replace(/\s+/g, ' ').trim() : text
}
