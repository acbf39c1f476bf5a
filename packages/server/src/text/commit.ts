export const commitHashPattern = /^[0-9a-f]{40}([0-9a-f]{24})?$/

const maxMessageLength = 2000

export function cleanCommitMessage(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      character === '\n' ? '\n' : character === '\t' ? ' ' : ''
    )
    .trim()
    .slice(0, maxMessageLength)
    .toWellFormed() // The cut may leave half a surrogate pair, which PostgreSQL rejects.
}
