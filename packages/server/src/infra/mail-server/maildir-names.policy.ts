/** Besides messages: which folders are shown, which keywords there are, and the numbers by which clients know messages. */
const kept = new Set(['maildirfolder', 'subscriptions', 'dovecot-keywords', 'dovecot-uidlist', 'dovecot-uidvalidity'])

/** What an archive has of something that lies beside `new`, `cur` and `tmp`; a folder is one of the mailbox itself (Maildir++: `.Work.2026`). */
export function wantedOf(
  inside: 'mailbox' | 'folder',
  name: string,
  isDirectory: boolean
): 'folder' | 'file' | undefined {
  if (!isDirectory) return kept.has(name) ? 'file' : undefined
  return inside === 'mailbox' && /^\.[^.]/.test(name) ? 'folder' : undefined
}
