/** A commit id as git writes it: SHA-1 or SHA-256, lower case, nothing abbreviated. */
export const commitHashPattern = /^[0-9a-f]{40}([0-9a-f]{24})?$/

const maxMessageLength = 2000

/** A commit message as we store and show it: no control characters but newlines, at most 2,000 characters. */
export function cleanCommitMessage(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      character === '\n' ? '\n' : character === '\t' ? ' ' : ''
    )
    .trim()
    .slice(0, maxMessageLength)
    .toWellFormed() // A cut through a surrogate pair is nothing that a database can store.
}
