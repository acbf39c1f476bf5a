/**
 * Content-Disposition of something to save under a name (RFC 6266): as `filename` what every client reads, and where that is not the name,
 * the name itself as `filename*` (RFC 8187).
 */
export function attachment(name: string): string {
  const wellFormed = name.toWellFormed()
  const plain = wellFormed.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  const fallback = `attachment; filename="${plain}"`
  return plain === wellFormed ? fallback : `${fallback}; filename*=UTF-8''${extendedValue(wellFormed)}`
}

// encodeURIComponent leaves some characters alone that are no attr-char (RFC 8187 §3.2.1).
const extendedValue = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
