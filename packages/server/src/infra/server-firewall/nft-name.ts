/** Keeps untrusted text out of the rules. */
export function nftName(text: string): string {
  if (!/^[a-z][a-z0-9_-]{0,30}$/i.test(text)) throw new TypeError(`Invalid firewall name: ${JSON.stringify(text)}`)
  return text
}
