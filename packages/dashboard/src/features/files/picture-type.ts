export const headBytes = 32

export type PictureType = `image/${'png' | 'jpeg' | 'gif' | 'webp' | 'avif'}`

/** By magic bytes, not by name. Excludes formats that can contain scripts. */
export function pictureTypeOf(head: Uint8Array): PictureType | undefined {
  const text = String.fromCharCode(...head.subarray(0, headBytes))
  if (text.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png'
  if (text.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(text)) return 'image/gif'
  if (/^RIFF.{4}WEBP/s.test(text)) return 'image/webp'
  if (/^.{4}ftypavi[fs]/s.test(text)) return 'image/avif'
  return undefined
}
