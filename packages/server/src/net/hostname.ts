/** RFC 1123 §2.1 in lower case: at most 253 characters, at least one label, labels of 1 to 63 characters. */
export function isHostname(text: string): boolean {
  return text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
}
