/** Lower case, no trailing dot. Undefined for other characters, so that nothing else reaches a DNS message. */
export function queryName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, '')
  return name.length <= 253 && /^[a-z0-9_*-]{1,63}(\.[a-z0-9_*-]{1,63})*$/.test(name) ? name : undefined
}
