/** An address to link to that somebody else has given: only http and https, so that a click never runs anything. */
export function safeUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
