/** RFC 1123 §2.1 in lower case, at most 253 characters, labels of 1 to 63, at least one of them. */
export function isHostname(text: string): boolean {
  return text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
}
