/**
 * Content-Disposition header for a download (RFC 6266): an ASCII `filename`, plus `filename*` (RFC 8187) if that
 * differs from the name.
 */
export function attachment(name: string): string {
  const wellFormed = name.toWellFormed()
  const plain = wellFormed.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  const fallback = `attachment; filename="${plain}"`
  return plain === wellFormed ? fallback : `${fallback}; filename*=UTF-8''${extendedValue(wellFormed)}`
}

const extendedValue = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
