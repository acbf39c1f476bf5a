import { parseTagList } from './tag-list.policy.ts'

export const dkimName = (selector: string): string => `${selector}._domainkey`

export const dkimValue = (publicKey: string): string => `v=DKIM1; k=rsa; p=${publicKey}`

/** Whether a TXT record publishes this key (RFC 6376 §3.6.1). */
export function carriesKey(text: string, publicKey: string): boolean {
  const tags = parseTagList(text)
  if (!tags || (tags.get('v') ?? 'DKIM1') !== 'DKIM1' || (tags.get('k') ?? 'rsa') !== 'rsa') return false
  // Some DNS providers wrap long values.
  return tags.get('p')?.replace(/\s/g, '') === publicKey
}
