/** Files besides messages: folder marker, subscriptions, keywords and UIDs. */
const kept = new Set(['maildirfolder', 'subscriptions', 'dovecot-keywords', 'dovecot-uidlist', 'dovecot-uidvalidity'])

/** Besides `new`, `cur` and `tmp`. Folders are entries of the mailbox (Maildir++: `.Work.2026`). */
export function wantedOf(
  inside: 'mailbox' | 'folder',
  name: string,
  isDirectory: boolean
): 'folder' | 'file' | undefined {
  if (!isDirectory) return kept.has(name) ? 'file' : undefined
  return inside === 'mailbox' && /^\.[^.]/.test(name) ? 'folder' : undefined
}
