/** `www.example.com` of `example.com`, and the other way round; undefined for a wildcard. */
export function otherNameOf(hostname: string): string | undefined {
  if (hostname.startsWith('*.')) return undefined
  return hostname.startsWith('www.') ? hostname.slice('www.'.length) : `www.${hostname}`
}
